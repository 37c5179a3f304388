"""A few made-up rows of any table, on which expressions can be tried."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import polars as pl

from batcheval.schema.columns import JSON_TEXT

_COUNTS: Final = [333, 1, None, 22, 22]  # unequal, equal and missing; as texts of several lengths
_JSON: Final = pl.Series(['{"a": 1}', "{}", None, '{"b": [1]}', '{"b": [1]}'])


@lru_cache(maxsize=8)  # the scorers of a suite are tried on the same table
def example_rows(columns: tuple[tuple[str, pl.DataType], ...]) -> pl.DataFrame:
    """Five rows: with unequal, equal and missing values, and lists of several lengths.

    Args:
        columns: the names and types of the table's columns.
    """
    return pl.DataFrame({n: _JSON if n in JSON_TEXT else _examples(t) for n, t in columns})


def _examples(dtype: pl.DataType) -> pl.Series:
    for kind, make in _MAKERS:
        if isinstance(dtype, kind):
            return make(dtype)
    source = pl.Series(_COUNTS)
    try:
        return source.cast(pl.String if dtype == pl.Categorical else dtype).cast(dtype)
    except pl.exceptions.PolarsError:
        return pl.Series([None] * len(source), dtype=dtype)


def _lists(dtype: pl.DataType) -> pl.Series:
    items = _examples(dtype.inner)  # type: ignore[attr-defined]
    return pl.Series([items.head(length) for length in (0, 1, 2, 3, 3)], dtype=dtype)


def _structs(dtype: pl.DataType) -> pl.Series:
    fields = {name: _examples(inner) for name, inner in dtype.to_schema().items()}  # type: ignore[attr-defined]
    return pl.DataFrame(fields).to_struct()


_MAKERS: Final[list[tuple[type[pl.DataType], Callable[[pl.DataType], pl.Series]]]] = [
    (pl.List, _lists),
    (pl.Struct, _structs),
]
