"""What a call asks of a run, as ranges of numbers: how many words, how many calls of a tool.

A check is passed if, and only if, each number lies in its range. So two checks exclude each other
where their ranges have nothing in common, and one follows from another where its ranges are wider.
"""

from collections.abc import Callable, Mapping
from math import inf
from typing import Any, Final, NamedTuple, TypeAlias

from batcheval.checks import CHECKS
from batcheval.linting.calls import Called, Column, is_scored


class Range(NamedTuple):
    """From `low` to `high`, both in it."""

    low: float
    high: float

    @property
    def says_nothing(self) -> bool:
        return self.low <= 0 and self.high == inf


Claims: TypeAlias = dict[tuple[Any, ...], Range]

TOTAL: Final = ("calls",)
_COUNTS: Final = ("word_count", "char_count", "line_count", "sentence_count")
_OF_JSON: Final = ("json_schema", "json_equal")
_YES, _NO = Range(1, 1), Range(0, 0)


def claims(call: Called) -> Claims | None:
    """The ranges that make up a check; None for one that is more than ranges, or less.

    Example:
        >>> claims(Called("max_tool_calls", {"max": 3}, ""))
        {('calls',): Range(low=0, high=3)}
    """
    if call.check in _COUNTS:
        low, high = call.arguments["min"] or 0, call.arguments["max"]
        return {(call.check, call.arguments["on"]): Range(low, inf if high is None else high)}
    if call.check in _EXACT:
        return _EXACT[call.check](call.arguments)
    if call.check == "all_of":
        parts = [claims(part) if is_scored(part) else None for part in call.arguments["checks"]]
        return None if None in parts else _together(parts)  # type: ignore[arg-type]
    if call.check in CHECKS and call.arguments.get("threshold") is not None:
        rest = {key: value for key, value in call.arguments.items() if key != "threshold"}
        return {("score", call.check, repr(rest)): Range(call.arguments["threshold"], inf)}
    return None


def consequences(call: Called) -> Claims:
    """The ranges that hold of every run that passes a check.

    Example:
        >>> consequences(Called("called_tool", {"tool_name": "search", "times": 2}, ""))
        {('tool', 'search'): Range(low=2, high=inf), ('calls',): Range(low=2, high=inf)}
    """
    if call.check == "all_of":
        parts = call.arguments["checks"]
        return _together([consequences(part) for part in parts if is_scored(part)])
    found = dict(claims(call) or {})
    if call.check == "tool_order" and isinstance(call.arguments["expected_order"], list):
        names = call.arguments["expected_order"]
        found |= {("tool", name): Range(names.count(name), inf) for name in names}
    if call.check in ("starts_with", "ends_with", "equals"):
        found |= _text(call.arguments, "expected", _YES)
    if call.check in _OF_JSON:
        found |= {("json", call.arguments["on"], call.arguments["fenced"]): _YES}
    tools = {key[1]: each.low for key, each in found.items() if key[0] == "tool"}
    named = sum(low for name, low in tools.items() if isinstance(name, str))
    if calls := max([named, *tools.values()]):
        found = _together([found, {TOTAL: Range(calls, inf)}])
    return found


def _together(several: list[Claims]) -> Claims:
    found: Claims = {}
    for one in several:
        for key, (low, high) in one.items():
            before = found.get(key, Range(0, inf))
            found[key] = Range(max(low, before.low), min(high, before.high))
    return found


def _text(arguments: Mapping[str, Any], name: str, wanted: Range) -> Claims:
    """That a text is in another, or that it is not, if it is looked for as it stands."""
    value = arguments[name]
    plain = not arguments["casefold"] and arguments["normalize"] is None
    if not plain or not isinstance(value, str | Column):
        return {}
    return {("text", arguments["on"], value, arguments["ignore_case"]): wanted}


def _all_texts(arguments: Mapping[str, Any]) -> Claims | None:
    if not isinstance(arguments["expected"], list):
        return None
    texts = arguments["expected"]
    each = [_text({**arguments, "expected": one}, "expected", _YES) for one in texts]
    return _together(each) if all(each) else None


_EXACT: Final[dict[str, Callable[[Mapping[str, Any]], Claims | None]]] = {
    "called_tool": lambda a: {("tool", a["tool_name"]): Range(a["times"], inf)},
    "did_not_call": lambda a: {("tool", a["tool_name"]): _NO},
    "max_tool_calls": lambda a: {TOTAL: Range(0, a["max"])},
    "used_no_tools": lambda a: {TOTAL: _NO},
    "tool_order": lambda a: {} if a["expected_order"] == [] else None,
    "includes": lambda a: _text(a, "expected", _YES) or None,
    "excludes": lambda a: _text(a, "unwanted", _NO) or None,
    "includes_all": _all_texts,
    "at_least": lambda a: {("score of", repr(a["of"])): Range(a["least"], inf)},
    "is_json": lambda a: {("json", a["on"], a["fenced"]): _YES},
}
