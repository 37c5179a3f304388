"""What follows from calls with certainty: one that always passes, two that never do together."""

import re
from typing import Final, Literal, TypeAlias

import polars as pl

from batcheval.linting.calls import Called, is_scored
from batcheval.linting.claims import TOTAL, Claims, Range, claims, consequences

Always: TypeAlias = Literal["passes", "fails"]

# What a pattern may ask of the place at which it matches.
_OF_A_PLACE: Final = re.compile(r"[\^$]|\\[bBAzZG<>]|\(\?[=!<]")


def outcome(call: Called) -> Always | None:
    """Whether a call passes on every trace that it scores, or fails on each; None if neither.

    Example:
        >>> outcome(Called("matches", {"pattern": "a*", "exact": False}, ""))
        'passes'
    """
    if call.check in ("all_of", "any_of", "none_of", "invert", "when"):
        return _of_parts(call)
    if call.check == "matches":
        return "passes" if _matches_nothing(call) else None
    found = claims(call)
    if found is not None and all(each.says_nothing for each in found.values()):
        return "passes"
    return "fails" if call.check == "at_least" and _fails_at_least(call) else None


def clash(one: Called, other: Called) -> bool:
    """Whether no run passes both."""
    left, right = consequences(one), consequences(other)
    return any(_disjoint(key, each, right) for key, each in left.items()) or any(
        _disjoint(key, each, left) for key, each in right.items()
    )


def follows(one: Called, other: Called) -> bool:
    """Whether every run that passes `other` passes `one`."""
    wanted = claims(one)
    if not wanted:
        return False
    given = consequences(other)
    return all(_given(key, each, given) for key, each in wanted.items())


def _of_parts(call: Called) -> Always | None:
    names = {"invert": "of", "when": "then"}
    if call.check in names:
        part = call.arguments[names[call.check]]
        found = outcome(part)
        return _OPPOSITE.get(found) if call.check == "invert" else found
    parts = [part for part in call.arguments["checks"] if is_scored(part)]
    found_of = {outcome(part) for part in parts}
    if call.check != "all_of":
        passes: Always = "passes" if call.check == "any_of" else "fails"
        return passes if "passes" in found_of else None
    if "fails" in found_of or any(clash(one, other) for one in parts for other in parts):
        return "fails"
    whole = len(parts) == len(call.arguments["checks"])
    return "passes" if whole and found_of == {"passes"} else None


_OPPOSITE: Final[dict[Always | None, Always]] = {"passes": "fails", "fails": "passes"}


def _fails_at_least(call: Called) -> bool:
    part = call.arguments["of"]
    return call.arguments["least"] > 0 and outcome(part) == "fails"


def _matches_nothing(call: Called) -> bool:
    """Whether a pattern is found in every text, since it matches a text of no length anywhere."""
    pattern = call.arguments["pattern"]
    if not isinstance(pattern, str) or call.arguments["exact"] or _OF_A_PLACE.search(pattern):
        return False
    return bool(pl.Series([""]).str.contains(pattern).item())


def _disjoint(key: tuple[object, ...], wanted: Range, given: Claims) -> bool:
    return any(wanted.low > other.high or wanted.high < other.low for other in _about(key, given))


def _given(key: tuple[object, ...], wanted: Range, given: Claims) -> bool:
    return wanted.says_nothing or any(
        wanted.low <= other.low and other.high <= wanted.high for other in _about(key, given)
    )


def _about(key: tuple[object, ...], given: Claims) -> list[Range]:
    """What is given of the same number, or of another that says something of it."""
    found = [given[key]] if key in given else []
    if key[0] == "tool" and TOTAL in given:  # a tool is not called more often than all of them
        found.append(Range(0, given[TOTAL].high))
    if key[0] == "text":
        found += [
            each
            for other, each in given.items()
            if other[0] == "text"
            and ((each.low == 1 and _holds(other, key)) or (each.high == 0 and _holds(key, other)))
        ]
    return found


def _holds(longer: tuple[object, ...], shorter: tuple[object, ...]) -> bool:
    """Whether a text that has `longer` in it has `shorter` too."""
    (_, where, text, folded), (_, other_where, part, other_folded) = longer, shorter
    if where != other_where or not isinstance(text, str) or not isinstance(part, str):
        return False
    if other_folded:
        return part.lower() in text.lower()
    return not folded and part in text
