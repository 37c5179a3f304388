"""What each field of an expectation may be."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from batcheval.checks.operands import flag, whole
from batcheval.checks.trajectories.names import WEIGHTS, named
from batcheval.checks.trajectories.values import is_count
from batcheval.errors import BadArgumentError, quoted

Rule: TypeAlias = Callable[[str, object], Any]  # of the name and the value of a field

ORDERINGS: Final = ("relaxed", "strict", "unordered")
DEFAULT_WEIGHTS: Final = (0.4, 0.3, 0.2, 0.1)


def a_list(name: str, wanted: str, value: object) -> list[Any]:
    """A list.

    Raises:
        BadArgumentError: `value`, the argument `name`, is anything else.
    """
    if not isinstance(value, list | tuple):
        raise BadArgumentError(name, wanted, value)
    return list(value)


def tool_names(name: str, value: object) -> list[str]:
    """A list of names, none of them empty.

    Raises:
        BadArgumentError: `value`, the argument `name`, is anything else.
    """
    names = a_list(name, "a list of names", value)
    if not all(isinstance(tool, str) and tool for tool in names):
        raise BadArgumentError(name, "a list of names", value)
    return names


def weights(value: object) -> tuple[float, ...]:
    """The weights of the parts of a score, in the order of `WEIGHTS`; negative ones are 0.

    Raises:
        BadArgumentError: `value` is no table of numbers by these names.

    Example:
        >>> weights({"accuracy": 1, "blacklist": -1})
        (1, 0.3, 0.2, 0.0)
    """
    given: dict[str, Any] = named(value) if isinstance(value, Mapping) else {"": value}
    if not given.keys() <= set(WEIGHTS) or not all(map(_is_number, given.values())):
        raise BadArgumentError("weights", f"a table of numbers for {quoted(WEIGHTS)}", value)
    pairs = zip(WEIGHTS, DEFAULT_WEIGHTS, strict=True)
    return tuple(max(0.0, given.get(part, weight)) for part, weight in pairs)


def _sequences(name: str, value: object) -> list[list[str]]:
    return [tool_names(name, names) for names in a_list(name, "a list of lists of names", value)]


def _must(holds: Callable[[Any], bool], wanted: str) -> Rule:
    def rule(name: str, value: object) -> object:
        if not holds(value):
            raise BadArgumentError(name, wanted, value)
        return value

    return rule


def _is_number(value: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and is_count(abs(value))  # type: ignore[arg-type]


RULES: Final[dict[str, Rule]] = {
    "ordering": _must(lambda value: isinstance(value, str), "a text"),
    **dict.fromkeys(("allow_repeated_steps", "no_redundant_calls"), flag),
    **dict.fromkeys(
        ("max_steps", "max_total_tokens", "max_total_duration_ms"),
        _must(is_count, "a number of at least 0"),
    ),
    "blacklisted_tools": tool_names,
    "blacklisted_sequences": _sequences,
    "max_retries_per_tool": _must(_is_number, "a number"),
}

# The same where somebody wrote it as an argument.
STRICT: Final[dict[str, Rule]] = {
    "ordering": _must(lambda value: str(value) in ORDERINGS, f"one of {quoted(ORDERINGS)}"),
    **dict.fromkeys(("max_steps", "max_total_tokens"), lambda name, value: whole(name, value, 0)),
    "max_retries_per_tool": _must(lambda value: type(value) is int, "a whole number"),
}
