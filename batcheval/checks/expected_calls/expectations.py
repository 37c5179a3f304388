"""The calls that are expected of a run, as arguments and rows say them."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from batcheval.checks.called.rules import Rules, differences, patterns
from batcheval.checks.called.values import arguments
from batcheval.checks.regexes import is_linear
from batcheval.checks.structured.documents import Parsed, parse
from batcheval.checks.structured.expected import json_value
from batcheval.errors import BadArgumentError, BadPatternError

WANTED: Final = "a name, a call, a list of them, or an expression"

_NAMES: Final = ("name", "tool_name", "toolName", "tool")
_ARGS: Final = ("args", "arguments", "input", "parameters", "kwargs", "tool_args", "toolArgs")
_INNER: Final = ("function", "function_call")


class UnreadableError(ValueError):
    """A value that says no calls."""


class Expected(NamedTuple):
    """A call that is expected; without `args` any will do."""

    name: str
    args: Parsed | None = None

    def differs(self, text: str | None, by: Rules) -> list[str]:
        """What differs in the arguments of a call of that name, a text for each field.

        Raises:
            TimeoutError: a pattern ran out of its time.
        """
        if self.args is None:
            return []
        made = arguments(text)
        if made.error is not None:
            return [f"the arguments are no JSON: {made.error}"]
        if self.args.error is not None:
            return [f"the expected arguments are no JSON: {self.args.error}"]
        return differences(made.value, self.args.value, by)


Calls = tuple[Expected, ...]


def literal(name: str, value: object, *, with_args: bool) -> Calls:
    """Expected calls that are given as an argument.

    Raises:
        BadArgumentError: `value`, the argument `name`, says none.
        BadPatternError: no engine can read a pattern in it.
    """
    try:
        found = calls_of([value] if isinstance(value, str | Mapping) else value)
    except UnreadableError as error:
        raise BadArgumentError(name, f"{WANTED} ({error})", value) from None
    for call in found:
        if call.args is not None and call.args.error is not None:
            raise BadArgumentError(name, f"calls with arguments of JSON ({call.args.error})", value)
    return found if with_args else tuple(Expected(call.name) for call in found)


@lru_cache(maxsize=1 << 14)
def from_text(text: str, with_args: bool) -> Calls | None:
    """The expected calls in JSON text; None if there are none to read.

    Example:
        >>> from_text('["a", {"name": "b"}]', True), from_text("a, b", True)
        ((Expected(name='a', args=None), Expected(name='b', args=None)), None)
    """
    found = parse(text)
    if found.error is not None or not isinstance(found.value, list):
        return None
    try:
        calls = calls_of(found.value)
    except (UnreadableError, BadPatternError):
        return None
    return calls if with_args else tuple(Expected(call.name) for call in calls)


def calls_of(items: object) -> Calls:
    """The calls in a list of names and objects.

    Raises:
        UnreadableError: it is no such list.
        BadPatternError: no engine can read a pattern in it.
    """
    if not isinstance(items, Sequence) or isinstance(items, str | bytes):
        raise UnreadableError("no list")
    return tuple(map(_call, items))


def _call(item: Any) -> Expected:
    if isinstance(item, str):
        return Expected(_name(item))
    if not isinstance(item, Mapping):
        raise UnreadableError("neither a name nor an object")
    for key in _INNER:
        if isinstance(item.get(key), Mapping):
            return _call({**item[key]})
    name = next((item[key] for key in _NAMES if item.get(key)), None)
    args = next((item[key] for key in _ARGS if item.get(key) is not None), None)
    if args is None:
        return Expected(_name(name))
    for pattern in patterns(args):
        is_linear(pattern)  # raises where none can read it
    return Expected(_name(name), arguments(args) if isinstance(args, str) else _plain(args))


def _plain(args: Any) -> Parsed:
    return Parsed(json_value("args", args))


def _name(name: object) -> str:
    if not isinstance(name, str) or not name:
        raise UnreadableError("a call without a name")
    return name
