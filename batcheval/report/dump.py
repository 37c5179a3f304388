"""A profile of a dump as a page for the terminal, or as JSON."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from batcheval.errors import BadArgumentError
from batcheval.report.layout import text_table
from batcheval.report.line_counts import count_lines

_SHOWN: Final = 20  # names of a kind on the page; JSON has all
_SHARES: Final = {
    "without_output": "without output",
    "without_calls": "without tool calls",
    "failed": "failed (the run has an error)",
    "with_expected": "with an expected answer",
    "with_expected_calls": "with expected tool calls",
}
Profile = Mapping[str, Any]


def render_profile(profile: Profile, format: Literal["text", "json"] = "text") -> str:
    """A profile, as `profile` gives it.

    Args:
        profile: what was counted.
        format: `text`, a page; `json`, an object with all of it, times in ISO 8601.

    Raises:
        BadArgumentError: there is no such format.
    """
    if format == "json":
        return json.dumps(profile, default=str, indent=2)
    if format != "text":
        raise BadArgumentError("format", "text or json", format)
    parts = [_head(profile), _shares(profile), _lengths(profile), *_names(profile)]
    parts.append("\n".join(count_lines(profile["read"])))
    return "\n\n".join(part for part in parts if part)


def _head(profile: Profile) -> str:
    start, end = profile["started_at"]["from"], profile["started_at"]["to"]
    when = f", from {start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M}" if start else ""
    spent = [
        f"{profile[key]:,.0f} {key.replace('_', ' ')}"
        for key in ("input_tokens", "output_tokens", "total_tokens")
        if profile[key]
    ]
    spent += [f"cost {profile['cost']:,.3g}"] if profile["cost"] else []
    traces = f"{profile['traces']:,} trace{'s' * (profile['traces'] != 1)}{when}"
    return "\n".join([traces, ", ".join(spent)]).rstrip("\n")


def _shares(profile: Profile) -> str:
    whole = profile["traces"] or 1
    rows = [
        (words, f"{profile[key]:,}", f"{profile[key] / whole:.1%}")
        for key, words in _SHARES.items()
    ]
    return text_table(("traces", "number", "share"), rows)


def _lengths(profile: Profile) -> str:
    units = {"input": "input, characters", "output": "output, characters", "calls": "tool calls"}
    rows = [
        (units[name], *("-" if size[key] is None else f"{size[key]:,.0f}" for key in _SIZES))
        for name, size in profile["lengths"].items()
    ]
    return text_table(("a trace has", *_SIZES), rows)


_SIZES: Final = ("min", "median", "mean", "max")


def _names(profile: Profile) -> list[str]:
    tools = [
        (
            tool["name"],
            f"{tool['calls']:,}",
            f"{tool['errors'] / tool['calls']:.1%}",
            f"{tool['traces']:,}",
        )
        for tool in profile["tools"]
    ]
    tables = [_some(("tool", "calls", "errors", "traces"), tools)]
    for title, head in (("runs", "run"), ("models", "model"), ("files", "file")):
        rows = [(name["name"] or "-", f"{name['traces']:,}") for name in profile[title]]
        if any(name["name"] for name in profile[title]):
            tables.append(_some((head, "traces"), rows))
    return tables


def _tool(tool: Mapping[str, Any]) -> Sequence[str]:
    share = tool["errors"] / tool["calls"]
    return tool["name"], f"{tool['calls']:,}", f"{share:.1%}", f"{tool['traces']:,}"


def _some(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    more = f"\nand {len(rows) - _SHOWN:,} more" if len(rows) > _SHOWN else ""
    return text_table(heads, rows[:_SHOWN]) + more
