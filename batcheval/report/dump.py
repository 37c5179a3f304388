"""A profile of a dump as a page for the terminal, as Markdown, or as JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from batcheval.errors import BadArgumentError
from batcheval.report.layout import escaped, markdown_table, text_table
from batcheval.report.line_counts import count_lines
from batcheval.report.rendering import Format

_SHOWN: Final = 20  # names of a kind on the page; JSON has all
_SHARES: Final = {
    "without_input": "without input",
    "without_output": "without output",
    "without_calls": "without tool calls",
    "failed": "failed (the run has an error)",
    "with_expected": "with an expected answer",
    "with_expected_calls": "with expected tool calls",
}
_UNITS: Final = {"input": "input, characters", "output": "output, characters"}
_SIZES: Final = ("min", "median", "mean", "max")
_NAMES: Final = {"runs": "run", "models": "model", "files": "file"}

Profile = Mapping[str, Any]
Table = tuple[Sequence[str], Sequence[Sequence[str]]]


def render_profile(profile: Profile, format: Format = "text") -> str:
    """A profile, as `profile` gives it.

    Args:
        profile: what was counted.
        format: `text`, a page; `markdown`, the same; `json`, an object with all of it, times in
            ISO 8601.

    Raises:
        BadArgumentError: there is no such format.
    """
    if format == "json":
        return json.dumps(profile, default=str, indent=2)
    if format not in ("text", "markdown"):
        raise BadArgumentError("format", "text, markdown or json", format)
    marked = format == "markdown"
    tables = [_table(*found, marked) for found in _tables(profile) if found[1]]
    head, last = (_lines(texts, marked) for texts in (_head(profile), _last(profile)))
    return "\n\n".join([head, *tables, last])


def _lines(texts: Sequence[str], marked: bool) -> str:
    return "\n\n".join(map(escaped, texts)) if marked else "\n".join(texts)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], marked: bool) -> str:
    table = (markdown_table if marked else text_table)(heads, rows[:_SHOWN])
    if len(rows) <= _SHOWN:
        return table
    gap = "\n\n" if marked else "\n"
    return f"{table}{gap}and {len(rows) - _SHOWN:,} more"


def _head(profile: Profile) -> list[str]:
    start, end = profile["started_at"]["from"], profile["started_at"]["to"]
    when = f", from {start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M}" if start else ""
    spent = [
        f"{profile[key]:,.0f} {key.replace('_', ' ')}"
        for key in ("input_tokens", "output_tokens", "total_tokens")
        if profile[key]
    ]
    spent += [f"cost {profile['cost']:,.3g}"] if profile["cost"] else []
    traces = f"{profile['traces']:,} trace{'s' * (profile['traces'] != 1)}{when}"
    return [traces, ", ".join(spent)] if spent else [traces]


def _last(profile: Profile) -> list[str]:
    zeros = profile["with_zero_id"]
    have = "trace has" if zeros == 1 else "traces have"
    warning = f"warning: {zeros:,} {have} an id of zeros, which tells no trace from another"
    return [*count_lines(profile["read"]), *[warning] * bool(zeros)]


def _tables(profile: Profile) -> Iterator[Table]:
    whole = profile["traces"] or 1
    shares = [(words, profile[key]) for key, words in _SHARES.items()]
    yield (
        ("traces", "number", "share"),
        [(words, f"{number:,}", f"{number / whole:.1%}") for words, number in shares],
    )
    lengths = profile["lengths"].items()
    yield ("a trace has", *_SIZES), [_length(name, sizes) for name, sizes in lengths]
    yield ("tool", "calls", "errors", "traces"), [_tool(tool) for tool in profile["tools"]]
    unpaired = {"calls without a result": "calls", "results without a call": "results"}
    found = [(words, f"{profile['unpaired'][key]:,}") for words, key in unpaired.items()]
    yield ("unpaired", "number"), [row for row in found if row[1] != "0"]
    for title, head in _NAMES.items():
        names = profile[title] if any(name["name"] for name in profile[title]) else ()
        yield (head, "traces"), [(name["name"] or "-", f"{name['traces']:,}") for name in names]
    yield ("layout", "files"), [(one["name"], f"{one['files']:,}") for one in profile["layouts"]]


def _length(name: str, sizes: Mapping[str, Any]) -> Sequence[str]:
    numbers = ("-" if sizes[key] is None else f"{sizes[key]:,.0f}" for key in _SIZES)
    return _UNITS.get(name, "tool calls"), *numbers


def _tool(tool: Mapping[str, Any]) -> Sequence[str]:
    share = tool["errors"] / tool["calls"]
    return tool["name"], f"{tool['calls']:,}", f"{share:.1%}", f"{tool['traces']:,}"
