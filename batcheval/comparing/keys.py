"""Keys: the columns that tell which rows of two runs belong together, made alike on both sides."""

from collections.abc import Sequence
from typing import Final, TypeAlias

import polars as pl

from batcheval.comparing.evidence import shortened, with_evidence
from batcheval.comparing.runs import Run
from batcheval.errors import BadArgumentError

Key: TypeAlias = tuple[str, ...]

TRIAL: Final = "trial"
INPUT: Final = "input"
_EXACT: Final = 2.0**53  # up to here a float that is whole is one integer


def keys_to_try(base: Run, candidate: Run, key: str | Sequence[str] | None) -> list[Key]:
    """The key that was asked for; else `task_id` and `trial` where present, then `trace_id`.

    A column is present if both runs have values in it.

    Raises:
        BadArgumentError: the key names no column.
    """
    if key is not None:
        names = (key,) if isinstance(key, str) else tuple(key)
        if not names or len(set(names)) < len(names):
            raise BadArgumentError("key", "a column, or several different ones", key)
        return [names]
    present = _filled(base) & _filled(candidate)
    tries = [tuple(n for n in names if n in present) for names in _DEFAULTS]
    return [names for names, wanted in zip(tries, _DEFAULTS, strict=True) if wanted[0] in names]


_DEFAULTS: Final[tuple[Key, ...]] = (("task_id", TRIAL), ("trace_id",))


def _filled(run: Run) -> set[str]:
    names = [name for name in ("task_id", TRIAL, "trace_id") if name in run.scores.collect_schema()]
    found = run.scores.select(pl.col(name).is_not_null().any() for name in names).collect()
    return {name for name in names if found[name].item()}


def types_of(run: Run, names: Sequence[str], option: str) -> dict[str, pl.DataType]:
    """The types of columns of a run, paths among them."""
    found = with_evidence(run.scores, dict.fromkeys(names, option)).collect_schema()
    return {name: found[name] for name in names}


def comparable(name: str, dtype: pl.DataType, other: pl.DataType) -> pl.Expr:
    """A column as it is where both runs have one type that can be joined on, else as text.

    Of the column `input`, long texts are `shortened`.

    Raises:
        BadArgumentError: it is a list or a struct.
    """
    if name == INPUT and dtype == other == pl.String:
        return shortened(pl.col(name))
    plain = dtype.is_integer() or dtype in (pl.String, pl.Boolean)
    return pl.col(name) if plain and dtype == other else as_text(name, dtype)


def as_text(name: str, dtype: pl.DataType, option: str = "key") -> pl.Expr:
    """The values as text; a whole number reads the same as integer, as float and as text.

    Raises:
        BadArgumentError: they are lists, structs or bytes.
    """
    column = pl.col(name)
    if dtype.is_nested() or dtype in (pl.Binary, pl.Object):
        raise BadArgumentError(option, "columns of text, numbers or times", name)
    if not (dtype.is_float() or dtype.is_decimal()):
        return column.cast(pl.String)
    number = column.cast(pl.Float64).fill_nan(None)
    whole = (number == number.round()) & (number.abs() < _EXACT)
    integer = pl.when(whole).then(number).cast(pl.Int64).cast(pl.String)
    return pl.coalesce(integer, number.cast(pl.String))
