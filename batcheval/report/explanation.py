"""One run explained: a table of its scores, its texts and calls with the evidence marked."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias

from batcheval.explaining import Explained, Explanation, Span
from batcheval.report.layout import escaped, markdown_table, text_table
from batcheval.report.run import MOST, cut, one_line, safe
from batcheval.report.styles import decimal

Form: TypeAlias = Literal["text", "markdown", "json"]

_HEADS: Final = ("scorer", "score", "verdict")
_TEXTS: Final = ("input", "output", "expected")
_MARKS: Final = {"text": ("[[", "]]"), "markdown": ("**", "**")}
_LIT: Final = ("\x1b[7m", "\x1b[27m")  # reverse video and back


def render_explanation(found: Explanation, form: Form = "text", lit: bool = False) -> str:
    """An explanation as a page.

    Args:
        found: as `explain` gives it.
        form: `text`, evidence in `[[…]]`; `markdown`, in `**…**`; `json`, an object with `trace`,
            `scores`, `spans`, `calls` and `notes`.
        lit: evidence is shown in reverse video in `text`, for a terminal.
    """
    if form == "json":
        return _json(found)
    plain = form == "text"
    marks = _LIT if plain and lit else _MARKS[form]
    return "\n".join(line.rstrip() for line in _parts(found, plain, marks))


def _json(found: Explanation) -> str:
    trace = {key: value for key, value in found.trace.items() if value is not None}
    document = {
        "trace": trace,
        "scores": [vars(one) for one in found.scores],
        "spans": {name: [s._asdict() for s in spans] for name, spans in found.spans.items()},
        "calls": [{"call": n, "scorers": names} for n, names in sorted(found.calls.items())],
        "notes": found.notes,
    }
    return json.dumps(document, indent=2, default=str, ensure_ascii=False)


def _parts(found: Explanation, plain: bool, marks: tuple[str, str]) -> Iterator[str]:
    trace, say = found.trace, safe if plain else escaped
    place = f"{trace.get('source')}:{trace.get('line')}" if trace.get("source") else ""
    run = f"run {one_line(trace['run'])}" if trace.get("run") else ""
    heading = ", ".join(filter(None, (f"trace {one_line(trace['trace_id'])}", run, place)))
    yield say(heading) if plain else f"### {say(heading)}"
    yield ""
    table = text_table if plain else markdown_table
    yield table(_HEADS, [(one.scorer, decimal(one.score), one.verdict) for one in found.scores])
    yield ""
    for one in found.scores:
        yield from (f"{'' if plain else '- '}{say(line)}" for line in _why(one))
    yield from (f"{'' if plain else '- '}{say(f'note: {note}')}" for note in found.notes)
    for name in _TEXTS:
        if name == "output" or trace.get(name):
            spans = found.spans.get(name, [])
            yield from _block(name, _marked(trace.get(name) or "(nothing)", spans, marks, say))
            yield from (f"    ^ {say(line)}" for line in _pointing(spans))
        if name == "input":
            yield from _calls(found, marks, say)


def _why(one: Explained) -> Iterator[str]:
    if one.recorded is not None:
        was = decimal(one.recorded)
        yield f"{one.scorer}: the file says {was}; the trace or the check has changed since"
    yield f"{one.scorer}: {one_line(one.reason or 'no reason is given')}"
    if one.missing:
        yield f"{one.scorer}: missing {one_line(', '.join(map(repr, one.missing[:20])))}"


def _block(title: str, text: str) -> Iterator[str]:
    yield from ("", title)
    yield from (f"    {line}" for line in text.split("\n"))


def _calls(found: Explanation, marks: tuple[str, str], say: Any) -> Iterator[str]:
    for number, call in enumerate(found.trace.get("tool_calls") or (), 1):
        names = found.calls.get(number)
        start, end = marks if names else ("", "")
        state = "" if call["state"] == "ok" else f"  [{str(call['state']).upper()}]"
        title = f"call {number}: {one_line(call['name'])}"
        yield ""
        blame = f"  <- {', '.join(names)}" if names else ""
        text = f"{start}{say(title)}{end} {say(cut(call['args']))}{say(state)}{say(blame)}"
        yield text
        for key in ("error", "result"):
            if call.get(key) is not None:
                yield from (f"    {say(line)}" for line in cut(call[key]).split("\n"))


def _marked(text: str, spans: Sequence[Span], marks: tuple[str, str], say: Any) -> str:
    """The text, its evidence between marks; long texts are cut, as `show` does."""
    pieces, place = [], 0
    for span in spans:
        if span.end > MOST:
            break
        pieces += [_said(text[place : span.start], say), marks[0]]
        pieces += [_said(text[span.start : span.end], say), marks[1]]
        place = span.end
    rest = text[place:MOST]
    more = f"… ({len(text) - MOST:,} more characters)" if len(text) > MOST else ""
    return "".join([*pieces, _said(rest, say), more])


def _said(text: str, say: Any) -> str:
    return "\n".join(say(line) for line in text.split("\n"))


def _pointing(spans: Sequence[Span]) -> Iterator[str]:
    names = dict.fromkeys(name for span in spans for name in span.scorers)
    if names:
        beyond = sum(span.end > MOST for span in spans)
        more = f"; {beyond:,} more in what is cut off" if beyond else ""
        yield f"marked by {', '.join(names)}{more}"
