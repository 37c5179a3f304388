"""How many calls are enough for a task: as a number, a column, or a table by task."""

from collections.abc import Mapping
from typing import Final

import polars as pl

from batcheval.checks.lookups import lookup
from batcheval.checks.operands import whole
from batcheval.errors import BadArgumentError

_WANTED: Final = (
    "a table, or the path of a JSON or TOML file with one, of numbers of calls by task id"
)


def shortest_of(value: object) -> pl.Expr:
    """The argument `shortest` as Float64, null where a row has none.

    Raises:
        BadArgumentError: it is neither a number, an expression, a table nor a file with one.
    """
    if isinstance(value, pl.Expr):
        number = value.cast(pl.Float64, strict=False)
        return pl.when(number.is_finite() & (number >= 0)).then(number.floor())
    if isinstance(value, str | Mapping):
        table = lookup("shortest", value, _WANTED)
        if any(type(count) is not int or not 0 <= count < 2**53 for count in table.values()):
            raise BadArgumentError("shortest", f"{_WANTED}: whole ones of at least 0", value)
        known = list(table), [float(count) for count in table.values()]
        return pl.col("task_id").replace_strict(*known, default=None, return_dtype=pl.Float64)
    return pl.lit(float(whole("shortest", value, 0)))
