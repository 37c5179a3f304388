"""One run, readable: its turns, its calls with arguments and results, errors marked."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import polars as pl

_FACTS: Final = ("run", "task_id", "trial", "model", "started_at", "latency_ms", "cost", "error")
MOST: Final = 4_000  # characters of one text; the rest is counted


def render_trace(trace: Mapping[str, Any]) -> str:
    r"""A row of the canonical table as a page.

    Control characters, which could drive a terminal, are shown as `\x1b` and the like.

    Example:
        >>> call = {"name": "weather", "args": "{}", "result": "rain", "state": "ok", "error": None}
        >>> print(render_trace({"trace_id": "t", "input": "Sun?", "output": "No.",
        ...                     "tool_calls": [call | {"duration_ms": None, "agent": None}]}))
        trace t
        <BLANKLINE>
        input
            Sun?
        <BLANKLINE>
        call 1: weather {}
            rain
        <BLANKLINE>
        output
            No.
    """
    return "\n".join(safe(line).rstrip() for part in _parts(trace) for line in part.split("\n"))


def render_traces(frames: Iterable[pl.DataFrame], limit: int) -> Iterator[str]:
    """Rows of the canonical table as pages, each as soon as its frame is there.

    Args:
        frames: the table, in parts.
        limit: how many pages to give; a line says so if there are more.
    """
    shown = 0
    for frame in frames:
        for trace in frame.iter_rows(named=True):
            if shown == limit:
                yield "\nmore traces have this id: --limit shows more, --run those of one run\n"
                return
            yield "\n" * (shown > 0) + render_trace(trace).rstrip("\n") + "\n"
            shown += 1


def _parts(trace: Mapping[str, Any]) -> Iterator[str]:
    yield f"trace {one_line(trace.get('trace_id'))}"
    place = f"{trace.get('source')}:{trace.get('line')}" if trace.get("source") else ""
    facts = [f"{key} {one_line(trace[key])}" for key in _FACTS if trace.get(key) is not None]
    if place or facts:
        yield ", ".join([*[place] * bool(place), *facts])
    yield ""
    yield from _turns(trace)
    yield from text_block("output", trace.get("output"))
    if trace.get("expected") is not None:
        yield ""
        yield from text_block("expected", trace["expected"])


def _turns(trace: Mapping[str, Any]) -> Iterator[str]:
    """The messages with the calls that each made; without messages, the input and the calls."""
    calls = list(enumerate(trace.get("tool_calls") or (), 1))
    messages = [m for m in trace.get("messages") or () if m["role"] != "tool"]
    if not messages or any(call.get("message") is None for _, call in calls):
        yield from text_block("input", trace.get("input"))
        yield ""
        for number, call in calls:
            yield from _call(number, call)
        return
    for place, message in enumerate(trace["messages"]):
        if message["role"] != "tool":
            yield from text_block(str(message["role"]), message["content"])
            yield ""
        for number, call in calls:
            if call["message"] == place:
                yield from _call(number, call)


def _call(number: int, call: Mapping[str, Any]) -> Iterator[str]:
    state = call["state"] if call["state"] != "ok" else ""
    mark = f"  [{state.upper()}]" if state else ""
    who = f" by {one_line(call['agent'])}" if call.get("agent") else ""
    took = f"  ({call['duration_ms']:,.0f} ms)" if call.get("duration_ms") is not None else ""
    yield f"call {number}{who}: {one_line(call['name'])} {cut(call['args'])}{mark}{took}"
    for key in ("error", "result"):
        if call.get(key) is not None:
            yield _indented(call[key])
    yield ""


def text_block(title: str, text: str | None) -> Iterator[str]:
    """A title, and below it the text, set in."""
    yield title
    yield _indented(text or "(nothing)")


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in cut(text).split("\n"))


def one_line(text: object) -> str:
    """The text on one line, so that no line break in a name begins a line of its own."""
    return " ".join(str(text).split())


def cut(text: object) -> str:
    """The text, or its beginning and how much more there is."""
    whole = "" if text is None else str(text)
    if len(whole) <= MOST:
        return whole
    return f"{whole[:MOST]}… ({len(whole) - MOST:,} more characters)"


def safe(line: str) -> str:
    """The line without characters that could drive a terminal."""
    return "".join(
        char if char.isprintable() else rf"\x{ord(char):02x}" for char in line.expandtabs(4)
    )
