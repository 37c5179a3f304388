"""What the arguments of the trajectory checks say, put together with what each row says."""

from collections.abc import Mapping
from typing import Any, Final

import polars as pl

from batcheval.checks.trajectories.expectations import Expectation
from batcheval.checks.trajectories.parsing import expectation, json_value
from batcheval.checks.trajectories.rules import RULES, STRICT, tool_names
from batcheval.checks.trajectories.verdicts import Verdicts
from batcheval.errors import BadArgumentError

_RULES: Final = RULES | STRICT


def options(fields: Mapping[str, Any]) -> Expectation:
    """The fields of an expectation, each given as an argument of its name.

    Raises:
        BadArgumentError: one of them makes no sense.
    """
    lists = {key: json_value(key, value) for key, value in fields.items() if key in _LISTS}
    given = {**fields, **lists}
    return Expectation(**{key: _RULES[key](key, value) for key, value in given.items()})


_LISTS: Final = ("blacklisted_tools", "blacklisted_sequences")


def names_of(name: str, value: object) -> pl.Expr:
    """A list of names as a literal.

    Raises:
        BadArgumentError: `value`, the argument `name`, is anything else.
    """
    return pl.lit(tool_names(name, json_value(name, value)), dtype=pl.List(pl.String))


def accuracy_asked(expected: object, given: Expectation) -> Verdicts:
    """The steps that are asked for, with a row's own ordering and rule on repeats laid over.

    Args:
        expected: the argument `expected_trajectory`.
        given: what the other arguments say.

    Raises:
        BadArgumentError: `expected` makes no sense.
    """
    name = "expected_trajectory"
    if isinstance(expected, pl.Expr) or expected is None:
        base = given
    else:
        base = given.under(expectation(name, json_value(name, expected), strict=True))
        if base.steps is None:
            raise BadArgumentError(name, "a list of steps, or a table with one", expected)

    def merge(own: Expectation | None) -> Expectation | None:
        both = base.under(own or Expectation())
        steps = both.steps if base.steps is None else base.steps
        if steps is None:
            return None
        return Expectation(steps, both.ordering, both.allow_repeated_steps)

    return Verdicts(merge, _own(expected))


def all_asked(steps: object, given: Expectation) -> Verdicts:
    """All that is asked for, with the fields that a row brings laid over.

    Args:
        steps: the argument of this name.
        given: what the other arguments say.

    Raises:
        BadArgumentError: `steps` makes no sense.
    """
    if isinstance(steps, pl.Expr) or steps is None:
        base = given
    else:
        base = given.under(expectation("steps", {"steps": json_value("steps", steps)}, strict=True))

    def merge(own: Expectation | None) -> Expectation | None:
        if own is None:
            return None if isinstance(steps, pl.Expr) else base
        return base.under(own)

    return Verdicts(merge, _own(steps))


def _own(argument: object) -> pl.Expr:
    """Where rows say what they expect: in an expression, else in the column for it."""
    return argument if isinstance(argument, pl.Expr) else pl.col("expected_trajectory")
