"""The one door by which Python gets at columns and stays an expression."""

from collections.abc import Callable
from typing import Any

import polars as pl

from batcheval.errors import ScorerFailedError


def batched(function: Callable[..., Any], *columns: pl.Expr) -> pl.Expr:
    """Run Python over batches of `columns`, as an elementwise Float64 expression.

    Args:
        function: gets one Series per column, all of one length, and returns that many numbers
            (a sequence, an array or a Series; None for a row that it cannot score). It must
            judge each row alone and be thread-safe: polars picks the batches and may run two at
            once.
        columns: the expressions whose values `function` gets, in its order.

    Raises:
        ScorerFailedError: while scoring, if `function` raises.

    Example:
        >>> def length(texts: pl.Series) -> list[float]:
        ...     return [min(len(text) / 10, 1.0) for text in texts]
        >>> pl.DataFrame({"output": ["four", "ten letters"]}).select(
        ...     batched(length, pl.col("output")).alias("length")
        ... )["length"].to_list()
        [0.4, 1.0]
    """

    def run(batch: pl.Series) -> pl.Series:
        try:
            scores = function(*batch.struct.unnest().get_columns())
            return pl.Series(scores, dtype=pl.Float64)
        except Exception as error:
            name = getattr(function, "__name__", type(function).__name__)
            text = f"scoring with '{name}' failed: {type(error).__name__}: {error}"
            raise ScorerFailedError(text) from error

    rows = pl.struct(column.alias(str(place)) for place, column in enumerate(columns))
    return rows.map_batches(run, return_dtype=pl.Float64, is_elementwise=True)
