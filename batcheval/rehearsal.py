"""An expression tried on a few made-up rows, so that a mistake shows before the scan."""

from collections.abc import Callable
from typing import Final

import polars as pl

from batcheval.schema.columns import JSON_TEXT

_COUNTS: Final = [1, 2, 3, 2]
_JSON: Final = pl.Series(['{"a": 1}', "{}", '{"a": 2}', '{"b": [1]}'])


def fault(expr: pl.Expr, schema: pl.Schema) -> str | None:
    """Why an expression cannot judge each row of a table alone, or None.

    It is applied to four rows at once and to each by itself: both must give the same. A Python
    function may give what it likes, and need not like made-up rows: of it only the height is held
    against the rows.

    Args:
        expr: a score or a condition.
        schema: the columns of the table.

    Example:
        >>> schema = pl.Schema({"cost": pl.Float64()})
        >>> fault(pl.col("cost") > 0.5, schema), fault(pl.col("cost").rank(), schema)
        (None, 'it does not judge each trace alone')
    """
    rows = pl.DataFrame({n: _JSON if n in JSON_TEXT else _examples(t) for n, t in schema.items()})
    try:
        whole = rows.select(expr.alias("x")).to_series()
        parts = [rows[place : place + 1].select(expr.alias("x")) for place in range(rows.height)]
    except pl.exceptions.PolarsError as error:
        # A text that is no number says nothing of the real texts.
        return None if "conversion from" in str(error) else first_line(error)
    except Exception:  # raised by somebody's function: the real rows decide
        return None
    apart = pl.concat(parts).to_series()
    is_constant = len(whole) == 1 and not expr.meta.root_names()
    same = apart.equals(whole.extend_constant(whole[0], len(apart) - 1) if is_constant else whole)
    if "python_udf" in str(expr):
        fits = len(whole) == len(apart)
        return None if fits else f"it gives {len(whole)} values for {len(apart)} rows"
    return None if same else _NOT_ALONE


_NOT_ALONE: Final = "it does not judge each trace alone"


def first_line(error: Exception) -> str:
    """What an error of polars says, in one line and without the plan that follows it."""
    text = str(error).partition("\n\nThis error occurred")[0].strip()
    return " ".join(text.split()) or type(error).__name__


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
    return pl.Series([items.head(length) for length in range(4)], dtype=dtype)


def _structs(dtype: pl.DataType) -> pl.Series:
    fields = {name: _examples(inner) for name, inner in dtype.to_schema().items()}  # type: ignore[attr-defined]
    return pl.DataFrame(fields).to_struct()


_MAKERS: Final[list[tuple[type[pl.DataType], Callable[[pl.DataType], pl.Series]]]] = [
    (pl.List, _lists),
    (pl.Struct, _structs),
]
