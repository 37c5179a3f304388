"""The slices that the values of a column make: one a value, or quarters of many numbers."""

from typing import Final

import numpy as np
import polars as pl

from batcheval.comparing.keys import as_text
from batcheval.comparing.units import Floats

BUCKETS: Final = 4
_APART: Final = 20  # so many different numbers are slices of their own


def sliced(values: pl.Series, option: str = "by") -> pl.DataFrame:
    """Which rows are in which slice.

    Numbers, also numbers as text, are cut into quarters of about as many rows each if more than 20
    of them differ. Of a list of texts every entry is a slice, so that a row may be in several.

    Args:
        values: a value a row, named after its column.
        option: who asks, for the message.

    Returns:
        `row`, from 0; `value`, the slice in words, null for a null or an empty list; and `place`,
        by which slices of numbers stand in order, null elsewhere.

    Raises:
        BadArgumentError: the column holds lists of other things, structs or bytes.

    Example:
        >>> sliced(pl.Series("tool", [["search", "buy"], []])).rows()
        [(0, 'search', None), (0, 'buy', None), (1, None, None)]
        >>> sliced(pl.Series("length", range(100)))["value"].unique(maintain_order=True).to_list()
        ['0 to 24', '25 to 49', '50 to 74', '75 to 99']
    """
    rows = values.to_frame().with_row_index("row")
    if values.dtype == pl.List(pl.String):
        entries = pl.col(values.name)
        rows = rows.with_columns(pl.when(entries.list.len() > 0).then(entries))
        rows = rows.explode(values.name)
    values = rows[values.name]
    text = rows.select(as_text(values.name, values.dtype, option).alias("value")).to_series()
    numbers = _numbers(values)
    if numbers is None:
        return rows.select("row", text, place=pl.lit(None, pl.Float64))
    place = pl.Series("place", numbers, nan_to_null=True)
    if place.drop_nulls().n_unique() > _APART:
        place, text = _cut(numbers)
    return rows.select("row", text, place)


def _numbers(values: pl.Series) -> Floats | None:
    """The values as numbers, NaN for null; None if they are none."""
    if not (values.dtype.is_numeric() or values.dtype == pl.String):
        return None
    cast = values.cast(pl.Float64, strict=False)
    if values.null_count() == values.len() or cast.null_count() > values.null_count():
        return None
    numbers = np.asarray(cast.to_numpy(), dtype=np.float64)
    return None if np.isinf(numbers).any() else numbers


def _cut(numbers: Floats) -> tuple[pl.Series, pl.Series]:
    """The bucket of each number, and what it spans."""
    told = ~np.isnan(numbers)
    shares = np.arange(1, BUCKETS) / BUCKETS
    edges = np.unique(np.quantile(numbers[told], shares, method="inverted_cdf"))
    bucket = np.where(told, np.searchsorted(edges, numbers), np.nan)
    frame = pl.DataFrame({"number": numbers, "place": bucket}, nan_to_null=True)
    ends = (
        frame.drop_nulls()
        .group_by("place")
        .agg(low=pl.col("number").min(), high=pl.col("number").max())
    )
    names = pl.DataFrame(
        {
            "place": ends["place"],
            "value": [
                _spelled(low) if low == high else f"{_spelled(low)} to {_spelled(high)}"
                for low, high in zip(ends["low"], ends["high"], strict=True)
            ],
        },
        schema={"place": pl.Float64, "value": pl.String},
    )
    found = frame.join(names, on="place", how="left", maintain_order="left")
    return found["place"], found["value"]


def _spelled(number: float) -> str:
    return f"{number:.0f}" if number == int(number) and abs(number) < 1e15 else f"{number:.4g}"
