"""The scorers of a suite as calls that can be compared: a check's name and all its arguments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any

import polars as pl

from batcheval.checks import CHECKS
from batcheval.scorer import Scorer
from batcheval.suite import Call, parse_call
from batcheval.suite.kinds import hints, members


@dataclass(frozen=True)
class Column:
    """A column or path among the arguments; two of one spelling are equal."""

    name: str


@dataclass(frozen=True)
class Called:
    """A call of a check.

    Attributes:
        check: its name.
        arguments: by name; of a check of ours all of them, those that were not given too, and
            checks among them are calls; of somebody's own those that were given.
        text: as it would be typed.
    """

    check: str
    arguments: Mapping[str, Any]
    text: str


def call_of(scorer_id: str, keys: Mapping[str, Any], text: str) -> Called:
    """The call that the table of a scorer stands for.

    Args:
        scorer_id: its id.
        keys: a table out of which a scorer was made without a mistake.
        text: the description of the scorer.

    Example:
        >>> call = call_of("short", {"check": "word_count", "max": 5}, "")
        >>> call.arguments["max"], call.arguments["on"]
        (5, Column(name='output'))
    """
    arguments = {key: value for key, value in keys.items() if key not in ("check", "id")}
    check = keys.get("check", "sql" if "sql" in keys else scorer_id)
    return _called(check, (), arguments, text)


def is_scored(value: object) -> bool:
    """Whether a call has a score on every row: it reads nothing that a row may lack.

    A combination leaves out the parts that are unscored on a row.
    """
    if isinstance(value, Called):
        return value.check != "when" and all(map(is_scored, value.arguments.values()))
    if isinstance(value, list):
        return all(map(is_scored, value))
    return not isinstance(value, Column) or value.name == "output"


def _called(check: str, args: Sequence[object], kwargs: Mapping[str, object], text: str) -> Called:
    function = CHECKS.get(check)
    if function is None:
        return Called(
            check, {str(place): one for place, one in enumerate(args)} | dict(kwargs), text
        )
    bound = signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    known = hints(function)
    arguments = {name: _argument(v, known.get(name)) for name, v in bound.arguments.items()}
    return Called(check, arguments, text or f"{check}(…)")


def _argument(value: object, hint: Any) -> Any:
    kinds = members(hint)
    if isinstance(value, pl.Expr):
        return Column(str(value.meta.output_name(raise_if_undetermined=False)))
    if isinstance(value, Call):
        return _called(*value, "")
    if isinstance(value, str) and set(kinds) == {pl.Expr}:
        return Column(value)
    if isinstance(value, str) and Scorer in kinds and str not in kinds:
        return _called(*parse_call(value), value.strip())
    if isinstance(value, Mapping):
        return _table(value, Scorer in kinds)
    if isinstance(value, list | tuple):
        inner: Any = Scorer if "Scorer" in str(hint) else None
        return [_argument(item, inner) for item in value]
    return value


def _table(value: Mapping[str, Any], is_check: bool) -> Any:
    if set(value) == {"column"}:
        return Column(value["column"])
    return call_of("", value, "") if is_check else value
