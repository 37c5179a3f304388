"""Are two JSON values equal, and how alike are they?

Numbers are equal by value, `1` and `1.0`; `true` is no number and `"1"` is none; null is a value of
its own, not a missing one. Objects have no order.
"""

from collections.abc import Sequence
from typing import Any, Final

from rapidfuzz.distance import Levenshtein

from batcheval.checks.structured.places import Place, removed
from batcheval.errors import BadArgumentError

_MOST: Final = 1 << 34  # pairs of characters, above which two texts are alike only if equal


def kind(value: object) -> str:
    """The type of a JSON value, by its name in JSON Schema."""
    return _KINDS[type(value)]


_KINDS: Final[dict[type, str]] = {
    type(None): "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


def equal(left: Any, right: Any, tolerance: float, ignore: Sequence[Place]) -> bool:
    """Whether two values are equal; numbers may be `tolerance` apart.

    Example:
        >>> equal({"a": 1, "b": [2]}, {"b": [2.0], "a": 1}, 0, []), equal(True, 1, 0, [])
        (True, False)
    """
    for place in ignore:
        left, right = removed(left, place), removed(right, place)
    return _equal(left, right, tolerance)


def distance(name: str, tolerance: object) -> float:
    """How far apart two numbers may be.

    Raises:
        BadArgumentError: `tolerance`, the argument `name`, is no number of at least 0.
    """
    is_number = isinstance(tolerance, int | float) and not isinstance(tolerance, bool)
    if not is_number or not 0 <= tolerance < float("inf"):  # type: ignore[operator]
        raise BadArgumentError(name, "a number of at least 0", tolerance)
    return float(tolerance)  # type: ignore[arg-type]


def _equal(left: Any, right: Any, tolerance: float) -> bool:
    if kind(left) != kind(right):
        return False
    if isinstance(left, dict):
        if left.keys() != right.keys():
            return False
        for key, value in left.items():  # noqa: SIM110  `all` takes a second frame a level
            if not _equal(value, right[key], tolerance):
                return False
        return True
    if isinstance(left, list):
        if len(left) != len(right):
            return False
        for value, other in zip(left, right, strict=True):
            if not _equal(value, other, tolerance):
                return False
        return True
    if left == right:
        return True
    return kind(left) == "number" and tolerance > 0 and _gap(left, right) <= tolerance


def _gap(left: float, right: float) -> float:
    try:
        return abs(left - right)
    except OverflowError:  # a whole number that no double holds
        return float("inf")


def similarity(left: Any, right: Any) -> float:
    """How alike two values are, from 0.0 to 1.0, see `json_similarity`.

    Example:
        >>> similarity({"a": 1, "b": "cat"}, {"a": 1, "b": "cut"}), similarity({}, {})
        (0.8333333333333334, 1.0)
    """
    if kind(left) != kind(right):
        return 0.0
    if isinstance(left, dict):
        keys = {**left, **right}
        total = 0.0
        for key in keys:
            if key in left and key in right:
                total += similarity(left[key], right[key])
        return total / len(keys) if keys else 1.0
    if isinstance(left, list):
        total = 0.0
        for value, other in zip(left, right, strict=False):
            total += similarity(value, other)
        longer = max(len(left), len(right))
        return total / longer if longer else 1.0
    if left == right:
        return 1.0
    if isinstance(left, str) and len(left) * len(right) <= _MOST:
        return Levenshtein.normalized_similarity(left, right)
    return _nearness(left, right) if kind(left) == "number" else 0.0


def _nearness(left: float, right: float) -> float:
    """1 less the difference by the sum of both sizes: 0.0 for numbers of unlike sign."""
    try:
        scale = max(abs(left), abs(right))
        one, other = left / scale, right / scale
    except OverflowError:
        return 0.0
    return 1 - abs(one - other) / (abs(one) + abs(other))
