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
