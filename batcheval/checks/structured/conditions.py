"""What is asked of values at a place in JSON."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
import polars as pl

from batcheval.checks.regexes import search
from batcheval.checks.structured.equality import equal, kind
from batcheval.errors import BadArgumentError

_KINDS: Final = ("null", "boolean", "number", "string", "array", "object")


class Condition(NamedTuple):
    """Tests that each of the values must pass, and what they are in words."""

    tests: Sequence[Callable[[Any], bool]]
    words: str
    absent: bool

    def of(self, values: Sequence[Any]) -> bool:
        """Whether values are there and pass; or, if so asked, are not there."""
        if self.absent or not values:
            return self.absent and not values
        return all(test(value) for value in values for test in self.tests)

    def shown(self, values: Sequence[Any]) -> str | None:
        """The first value as JSON text."""
        return msgspec.json.encode(values[0]).decode() if values else None


def condition(given: Mapping[str, Any], absent: bool) -> Condition:
    """The condition that arguments make; a None is no argument.

    Raises:
        BadArgumentError: one has the wrong type, or `absent` is not alone.
        BadPatternError: no engine can read `matches`.
    """
    asked = {name: value for name, value in given.items() if value is not None}
    if absent and asked:
        raise BadArgumentError("absent", f"alone, without {', '.join(asked)}", True)
    tests = [_MAKERS[name](name, value) for name, value in asked.items()]
    words = ", ".join(f"{name} {value!r:.60}" for name, value in asked.items())
    return Condition(tests, _braced("nothing there" if absent else words or "a value"), absent)


def _braced(words: str) -> str:
    return words.replace("{", "{{").replace("}", "}}")


def _equals(name: str, wanted: Any) -> Callable[[Any], bool]:
    if not isinstance(wanted, str | bool | int | float | list | dict):
        raise BadArgumentError(name, "a text, a number, true, false, a list or a table", wanted)
    try:
        value = msgspec.json.decode(msgspec.json.encode(wanted))
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
        raise BadArgumentError(name, "made of what JSON can hold", wanted) from None
    return lambda found: equal(found, value, 0.0, ())


def _matches(name: str, pattern: Any) -> Callable[[Any], bool]:
    if not isinstance(pattern, str):
        raise BadArgumentError(name, "a regular expression", pattern)
    found = search(pl.col("text"), pattern, exact=False)

    def matches(value: Any) -> bool:
        if not isinstance(value, str):
            return False
        return pl.DataFrame({"text": [value]}).select(found).item() is True

    return matches


def _bound(name: str, bound: Any) -> Callable[[Any], bool]:
    if not isinstance(bound, int | float) or isinstance(bound, bool) or bound != bound:
        raise BadArgumentError(name, "a number", bound)
    if name == "min":
        return lambda found: kind(found) == "number" and found >= bound
    return lambda found: kind(found) == "number" and found <= bound


def _type(name: str, wanted: Any) -> Callable[[Any], bool]:
    if wanted not in _KINDS:
        raise BadArgumentError(name, f"one of {', '.join(_KINDS)}", wanted)
    return lambda found: kind(found) == wanted


_MAKERS: Final[dict[str, Callable[[str, Any], Callable[[Any], bool]]]] = {
    "equals": _equals,
    "matches": _matches,
    "min": _bound,
    "max": _bound,
    "type": _type,
}
