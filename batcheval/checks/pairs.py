"""Two numbers a row from one Python function, as expressions."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl


def paired(
    function: Callable[..., tuple[Any, Any]],
    scored: pl.Expr,
    *texts: pl.Expr,
    dtype: type[pl.DataType] = pl.Float64,
) -> tuple[pl.Expr, pl.Expr]:
    """The two numbers that a function finds for each row of texts; null where not `scored`.

    They come from one Array, since polars would run the function anew for each field of a Struct.

    Args:
        function: gets one Series per expression, and nulls where a row is not to be scored;
            returns two columns of numbers. It must judge each row alone and be thread-safe.
        scored: which rows to score; never null.
        texts: what the function gets.
        dtype: the type of the numbers.

    Example:
        >>> def sizes(texts: pl.Series) -> tuple[pl.Series, pl.Series]:
        ...     return texts.str.len_chars().fill_null(0), texts.str.len_bytes().fill_null(0)
        >>> chars, size = paired(sizes, pl.col("x").is_not_null(), pl.col("x"), dtype=pl.Int64)
        >>> pl.DataFrame({"x": ["é", None]}).select(chars, size.alias("size")).rows()
        [(1, 2), (None, None)]
    """
    pair = pl.Array(dtype, 2)

    def run(rows: pl.Series) -> pl.Series:
        found = function(*rows.struct.unnest().get_columns())
        return pl.Series(np.column_stack(found), dtype=pair)

    rows = pl.struct(text.alias(str(place)) for place, text in enumerate(texts))
    found = rows.map_batches(run, return_dtype=pair, is_elementwise=True)
    masked = pl.when(scored).then(found)
    return masked.arr.get(0), masked.arr.get(1)
