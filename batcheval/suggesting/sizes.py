"""How long, dear and slow runs are: numbers counted at limits of two digits."""

from typing import Final, NamedTuple

import polars as pl

from batcheval.schema import OUTPUT, TOOL_CALLS

_MOST: Final = 10**15


class Size(NamedTuple):
    """A number that each run has.

    Attributes:
        value: a whole number, null where the run tells none.
        unit: what 1 of it is worth in the column that it is of.
    """

    value: pl.Expr
    unit: float = 1


def _whole(column: str, factor: int = 1) -> pl.Expr:
    number = (pl.col(column).cast(pl.Float64) * factor).ceil()
    return pl.when(number.is_between(0, _MOST)).then(number).cast(pl.Int64, strict=False)


SIZES: Final = {
    "output": Size(OUTPUT.str.len_chars().cast(pl.Int64)),
    "calls": Size(TOOL_CALLS.list.len().cast(pl.Int64)),
    "latency_ms": Size(_whole("latency_ms")),
    "cost": Size(_whole("cost", 1_000_000), 1e-6),
    "total_tokens": Size(_whole("total_tokens")),
    "output_tokens": Size(_whole("output_tokens")),
}


def sizes_of(frame: pl.DataFrame) -> pl.DataFrame:
    """The runs of a frame, counted by the limits between which each number lies.

    Returns:
        `what`, `low` and `high`, the nearest numbers of two digits, and `n`.

    Example:
        >>> from batcheval.schema import canonical
        >>> frame = canonical(pl.DataFrame({"trace_id": ["a"], "latency_ms": [1234.5]})).collect()
        >>> sizes_of(frame).filter(what="latency_ms").row(0)
        ('latency_ms', 1200, 1300, 1)
    """
    values = frame.select(size.value.alias(name) for name, size in SIZES.items())
    long = values.unpivot(variable_name="what", value_name="value").drop_nulls()
    value = pl.col("value")
    power = (value.clip(10).log10() + 1e-9).floor().cast(pl.Int64) - 1
    step = pl.lit(10, pl.Int64).pow(power).cast(pl.Int64)
    low, high = value // step * step, (value + step - 1) // step * step
    counted = long.select("what", low=low, high=high, n=pl.lit(1, pl.Int64))
    return counted.group_by("what", "low", "high").sum()


def most_of(sizes: pl.DataFrame, what: str, share: float) -> int | None:
    """The lowest limit at or below which so large a share of the runs lies."""
    return _limit(sizes, what, "high", share)


def least_of(sizes: pl.DataFrame, what: str, share: float) -> int | None:
    """The highest limit at or above which so large a share of the runs lies."""
    return _limit(sizes, what, "low", share)


def _limit(sizes: pl.DataFrame, what: str, edge: str, share: float) -> int | None:
    rows = sizes.filter(what=what).sort(edge, descending=edge == "low")
    enough = rows.filter(pl.col("n").cum_sum() >= share * float(rows["n"].sum()))
    return None if not enough.height else int(enough[edge][0])
