"""When the arguments of a call are what they should be, and which of them are not.

Values are equal as in `json_equal`: numbers by value, `true` is not `1`, null is not a missing key.
What differs from that is switched on.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from batcheval.checks.called.patterns import is_found
from batcheval.checks.operands import flag
from batcheval.checks.structured.equality import distance, equal
from batcheval.checks.structured.places import Place, places_of, removed


class Rules(NamedTuple):
    """How values are compared.

    Attributes:
        tolerance: how far apart two numbers may be.
        ignore_case: texts are compared in lower case; keys are not.
        ignore: places that are not compared.
        extra: objects may have more keys than are wanted.
    """

    tolerance: float = 0.0
    ignore_case: bool = False
    ignore: tuple[Place, ...] = ()
    extra: bool = False


def rules(tolerance: object, ignore_case: object, ignore: object, extra: object = False) -> Rules:
    """The rules that arguments of these names make.

    Raises:
        BadArgumentError: one of them is of the wrong type.
    """
    places = tuple(places_of("ignore", ignore))
    within = distance("tolerance", tolerance)
    return Rules(within, flag("ignore_case", ignore_case), places, flag("extra", extra))


def differences(found: Any, wanted: Any, by: Rules) -> list[str]:
    """What differs, a text for each field: none if the value is what is wanted.

    A wanted object whose one key is `matches` is a pattern, which must be found in a text.

    Example:
        >>> differences({"a": 1, "b": "x"}, {"a": 2, "c": {"matches": "x"}}, Rules())
        ['a is 1, not 2', 'c is missing', 'b is not expected']
    """
    for place in by.ignore:
        found, wanted = removed(found, place), removed(wanted, place)
    if not isinstance(found, dict) or not isinstance(wanted, dict) or _pattern(wanted) is not None:
        whole = _difference(found, wanted, by, "")
        return [] if whole is None else [whole]
    told = []
    for key, value in wanted.items():
        inner = _difference(found[key], value, by, key) if key in found else f"{key} is missing"
        told += [inner] if inner else []
    return told + ([] if by.extra else [_unexpected(key) for key in found if key not in wanted])


def _difference(found: Any, wanted: Any, by: Rules, path: str) -> str | None:
    """The first difference below a place."""
    pattern = _pattern(wanted)
    if pattern is not None and isinstance(found, str):
        return (
            None
            if is_found(pattern, found)
            else f"{_at(path)} {_told(found)} lacks {pattern!r:.60}"
        )
    if isinstance(found, dict) and isinstance(wanted, dict):
        return _of_objects(found, wanted, by, path)
    if isinstance(found, list) and isinstance(wanted, list):
        return _of_arrays(found, wanted, by, path)
    one, other = (_lower(found), _lower(wanted)) if by.ignore_case else (found, wanted)
    if equal(one, other, by.tolerance, ()):
        return None
    return f"{_at(path)} is {_told(found)}, not {_told(wanted)}"


def _of_objects(found: dict[str, Any], wanted: dict[str, Any], by: Rules, path: str) -> str | None:
    for key, value in wanted.items():
        inner = f"{path}.{key}" if path else key
        if key not in found:
            return f"{inner} is missing"
        told = _difference(found[key], value, by, inner)
        if told is not None:
            return told
    if not by.extra:
        for key in found:
            if key not in wanted:
                return _unexpected(f"{path}.{key}" if path else key)
    return None


def _of_arrays(found: list[Any], wanted: list[Any], by: Rules, path: str) -> str | None:
    if len(found) != len(wanted):
        return f"{_at(path)} has {len(found)} items, not {len(wanted)}"
    for place, value in enumerate(wanted):
        told = _difference(found[place], value, by, f"{path}[{place}]")
        if told is not None:
            return told
    return None


def _pattern(wanted: Any) -> str | None:
    is_one = isinstance(wanted, dict) and len(wanted) == 1
    pattern = wanted.get("matches") if is_one else None
    return pattern if isinstance(pattern, str) else None


def patterns(wanted: Any) -> Sequence[str]:
    """All patterns in a wanted value."""
    pattern = _pattern(wanted)
    if pattern is not None:
        return [pattern]
    if isinstance(wanted, dict | list):
        inner = wanted.values() if isinstance(wanted, dict) else wanted
        return [pattern for value in inner for pattern in patterns(value)]
    return []


def _unexpected(path: str) -> str:
    return f"{path} is not expected"


def _lower(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


def _at(path: str) -> str:
    return path or "the value"


def _told(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)  # which takes whole numbers of any size
    return text if len(text) <= 60 else text[:59] + "…"
