"""Slices: the pairs of each value of a column, compared on their own."""

from collections.abc import Sequence
from typing import Any, Final

import polars as pl

from batcheval.comparing.buckets import sliced
from batcheval.comparing.clusters import recoded
from batcheval.comparing.pairs import EXTRA
from batcheval.comparing.rows import Settings, rows_of
from batcheval.comparing.units import Codes
from batcheval.errors import BadArgumentError

MOST: Final = 1_000
_LARGE: Final = "\0large"


def slice_rows(
    frame: pl.DataFrame,
    column: str,
    scorers: Sequence[str],
    codes: Codes | None,
    settings: Settings,
) -> list[dict[str, Any]]:
    """A row a slice and scorer, by value; null is a slice of its own, the last.

    What the slices of a column are, `sliced` tells.

    Raises:
        BadArgumentError: the column has more than 1,000 values, or none that make slices.
    """
    found = sliced(frame[EXTRA + column].alias(column))
    parts = found.group_by("value").agg("row", pl.col("place").first())
    parts = parts.sort("place", "value", nulls_last=True)
    if parts.height > MOST:
        raise BadArgumentError("by", f"columns of at most {MOST:,} values", column)
    rows = []
    for text, places in zip(parts["value"], parts["row"], strict=True):
        own = None if codes is None else recoded(codes[places.to_numpy()])
        compared = rows_of(frame[places], scorers, own, settings)
        rows += [{"column": column, "value": text, **row} for row in compared]
    return rows


def without_small(
    slices: pl.DataFrame, size: pl.Expr, least: int
) -> tuple[pl.DataFrame, dict[str, int]]:
    """The slices that are large enough, and how many are not, by column.

    Args:
        slices: a row a slice and scorer, with `column` and `value`.
        size: of a slice, as the row of a scorer tells it; the largest counts.
        least: the size that is large enough.

    Example:
        >>> slices = pl.DataFrame({"column": "city", "value": ["Bern", "Lyon"], "n": [40, 3]})
        >>> kept, small = without_small(slices, pl.col("n"), 30)
        >>> kept["value"].to_list(), small
        (['Bern'], {'city': 1})
    """
    large = (size.max().over("column", "value") >= least).alias(_LARGE)
    told = slices.with_columns(large)
    small = told.filter(~pl.col(_LARGE)).select("column", "value").unique(maintain_order=True)
    counts = small.group_by("column", maintain_order=True).len().rows()
    return told.filter(_LARGE).drop(_LARGE), dict(counts)
