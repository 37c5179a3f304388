"""Expressions tried on a few made-up rows, so that a mistake shows before the scan."""

from collections.abc import Callable, Sequence
from typing import Final

import polars as pl

from batcheval.schema.columns import JSON_TEXT

# Unequal, equal and missing values, and texts of several lengths.
_COUNTS: Final = [333, 1, None, 22, 22]
_JSON: Final = pl.Series(['{"a": 1}', "{}", None, '{"b": [1]}', '{"b": [1]}'])


def fault(schema: pl.Schema, *exprs: pl.Expr) -> str | None:
    """Why expressions cannot judge each row of a table alone, or None.

    They are applied to a few rows at once and to each by itself: both must give the same. A Python
    function may give what it likes, and need not like made-up rows: of it only the height is held
    against the rows.

    Args:
        schema: the columns of the table.
        exprs: a condition, or a score and what else a scorer says.

    Example:
        >>> schema = pl.Schema({"cost": pl.Float64()})
        >>> fault(schema, pl.col("cost") > 0.5), fault(schema, pl.col("cost").rank())
        (None, 'it does not judge each trace alone')
    """
    rows = pl.DataFrame({n: _JSON if n in JSON_TEXT else _examples(t) for n, t in schema.items()})
    try:
        whole = _tried(rows, exprs)
        parts = [_tried(rows[place : place + 1], exprs) for place in range(rows.height)]
        return _difference(whole, pl.concat(parts), exprs)
    except pl.exceptions.PolarsError as error:
        return first_line(error) if _is_of_types(error) else None
    except Exception:  # raised by somebody's function: the real rows decide
        return None


def _tried(rows: pl.DataFrame, exprs: Sequence[pl.Expr]) -> pl.DataFrame:
    """Lazily, since only then does polars compute once what stands in expressions twice."""
    named = [expr.alias(str(place)) for place, expr in enumerate(exprs)]
    return rows.lazy().select(named).collect()


def _difference(whole: pl.DataFrame, apart: pl.DataFrame, exprs: Sequence[pl.Expr]) -> str | None:
    constants = all(not expr.meta.root_names() for expr in exprs)
    if whole.height == 1 and constants and apart.unique().equals(whole):
        return None
    if whole.height != apart.height and any("python_udf" in str(expr) for expr in exprs):
        return f"it gives {whole.height} values for {apart.height} rows"
    if whole.height != apart.height:
        return _NOT_ALONE
    pure = [str(place) for place, expr in enumerate(exprs) if "python_udf" not in str(expr)]
    return None if _agree(apart.select(pure), whole.select(pure)) else _NOT_ALONE


def _agree(apart: pl.DataFrame, whole: pl.DataFrame) -> bool:
    """Whether they are the same but for the last digits: one row may be divided in another way."""
    if apart.equals(whole):
        return True
    from polars.testing import assert_frame_equal

    try:
        assert_frame_equal(apart, whole, rel_tol=1e-9, abs_tol=0.0)
    except AssertionError:
        return False
    return True


def _is_of_types(error: pl.exceptions.PolarsError) -> bool:
    """Whether an error is about the columns' types; one about made-up values tells nothing."""
    text = str(error)
    if isinstance(error, pl.exceptions.ComputeError | pl.exceptions.OutOfBoundsError):
        return "cannot compare" in text or "regex" in text
    return "conversion from" not in text


_NOT_ALONE: Final = "it does not judge each trace alone"


def first_line(error: Exception) -> str:
    """What an error of polars says, in one line and without the plan that follows it."""
    text = str(error).partition("\n\nThis error occurred")[0].partition("\n\nResolved plan")[0]
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
    return pl.Series([items.head(length) for length in (0, 1, 2, 3, 3)], dtype=dtype)


def _structs(dtype: pl.DataType) -> pl.Series:
    fields = {name: _examples(inner) for name, inner in dtype.to_schema().items()}  # type: ignore[attr-defined]
    return pl.DataFrame(fields).to_struct()


_MAKERS: Final[list[tuple[type[pl.DataType], Callable[[pl.DataType], pl.Series]]]] = [
    (pl.List, _lists),
    (pl.Struct, _structs),
]
