"""What a run must reach, from the `[gates.<scorer id>]` tables of a suite."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from batcheval.errors import (
    BadArgumentError,
    BatchevalError,
    IdleGateError,
    UnknownGateError,
    UnknownKeyError,
)
from batcheval.ids import is_pattern
from batcheval.suite.places import noted, placed, raise_all
from batcheval.suite.shapes import is_number, table

_OF_SLICES: Final = ("by", "min_slice_size")


@dataclass(frozen=True)
class Gate:
    """What the scores of one scorer must reach; None where nothing is asked.

    Attributes:
        every: each scored trace has 1.0.
        min: the mean is at least this, in 0..1.
        max: the mean is at most this, in 0..1.
        min_scored: so many traces are scored: a whole number of them, or, if a float, a share.
        max_regression: the mean falls by at most this against a base, in 0..1.
        by: columns or paths; all of the above is asked of each of their slices too.
        min_slice_size: slices of fewer traces, or pairs, are not judged.
    """

    every: bool = False
    min: float | None = None
    max: float | None = None
    min_scored: int | float | None = None
    max_regression: float | None = None
    by: tuple[str, ...] = ()
    min_slice_size: int = 1


def read_gates(tables: object, scorers: Collection[str]) -> dict[str, Gate]:
    """The gates of a suite by the id of the scorer that each judges.

    Raises:
        UnknownGateError: there is no such scorer.
        UnknownKeyError: a gate has a key that gates do not know.
        BadArgumentError: a value makes no sense.
        IdleGateError: a gate asks for nothing.
        BatchevalError: the first of these in the tables, the others with it.

    Example:
        >>> read_gates({"tone": {"min": 0.8}}, ["tone"])["tone"].min
        0.8
    """
    gates = {}
    mistakes: list[BatchevalError] = []
    for scorer_id, keys in table("'gates'", tables).items():
        with noted(mistakes), placed(f"gate '{scorer_id}'"):
            if scorer_id not in scorers:
                raise UnknownGateError(scorer_id, scorers)
            gates[scorer_id] = _gate(table("a gate", keys))
    raise_all(mistakes)
    return gates


def slicing_columns(gates: Mapping[str, Gate]) -> list[str]:
    """The columns and paths by whose slices some gate judges, each once.

    Example:
        >>> slicing_columns({"tone": Gate(min=0.8, by=("model",)), "polite": Gate(every=True)})
        ['model']
    """
    return list(dict.fromkeys(name for gate in gates.values() for name in gate.by))


def _gate(keys: Mapping[str, Any]) -> Gate:
    known = [field.name for field in fields(Gate)]
    mistakes: list[BatchevalError] = []
    for key, value in keys.items():
        with noted(mistakes):
            if key not in known:
                raise UnknownKeyError("a gate", key, known)
            _require(key, value)
    raise_all(mistakes)
    by = keys.get("by", ())
    gate = Gate(**{**keys, "by": (by,) if isinstance(by, str) else tuple(by)})
    if replace(gate, by=(), min_slice_size=1) == Gate():
        raise IdleGateError([name for name in known if name not in _OF_SLICES])
    if "min_slice_size" in keys and not gate.by:
        raise BadArgumentError("by", "given where 'min_slice_size' is", None)
    if gate.min is not None and gate.max is not None and gate.min > gate.max:
        raise BadArgumentError("min", f"at most 'max', which is {gate.max}", gate.min)
    return gate


def _require(key: str, value: object) -> None:
    if key == "every":
        good, wanted = isinstance(value, bool), "true or false"
    elif key == "by":
        good, wanted = _are_columns(value), "a column or path, or a list of several"
    elif key == "min_slice_size":
        good, wanted = type(value) is int and value >= 1, "a whole number, 1 or more"
    elif key == "min_scored" and type(value) is int:
        good, wanted = value >= 1, "1 or more, or a share such as 0.95"
    else:
        good, wanted = is_number(value) and 0 <= value <= 1, "a number in 0..1"
    if not good:
        raise BadArgumentError(key, wanted, value)


def _are_columns(value: object) -> bool:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not names or len(set(map(str, names))) < len(names):
        return False
    return all(isinstance(n, str) and n.strip() and not is_pattern(n) for n in names)
