"""How long, dear and slow runs are: numbers counted at limits of two digits."""

from typing import Final

import polars as pl

from batcheval.schema import OUTPUT, TOOL_CALLS

_MOST: Final = 10**15


def _whole(column: str, factor: int = 1) -> pl.Expr:
    number = (pl.col(column).cast(pl.Float64) * factor).ceil()
    return pl.when(number.is_between(0, _MOST)).then(number).cast(pl.Int64, strict=False)


MICRO: Final = 1_000_000  # of a cost, which is no whole number

# What each run has, as a whole number; null where it tells none.
_OF_RUNS: Final = {
    "output": OUTPUT.str.len_chars().cast(pl.Int64),
    "calls": TOOL_CALLS.list.len().cast(pl.Int64),
    "latency": _whole("latency_ms"),
    "cost": _whole("cost", MICRO),
    "tokens": _whole("total_tokens"),
    "output_tokens": _whole("output_tokens"),
}
_OF_CALLS: Final = {
    "calls_of_a_tool": pl.col("name").value_counts().struct.field("count").max().cast(pl.Int64),
    "slowest_call": _whole("duration_ms").max(),
}


def sizes_of(frame: pl.DataFrame, calls: pl.DataFrame) -> pl.DataFrame:
    """The runs of a frame, counted by the limits between which each number lies.

    Args:
        frame: rows of the canonical table.
        calls: theirs, as `calls_of` has them.

    Returns:
        `what`, `low` and `high`, the nearest numbers of two digits, and `n`.

    Example:
        >>> from batcheval.schema import canonical
        >>> from batcheval.suggesting.calls import GOOD, calls_of
        >>> frame = canonical(pl.DataFrame({"trace_id": ["a"], "latency_ms": [1234.5]})).collect()
        >>> calls = calls_of(frame.with_columns(pl.lit(True).alias(GOOD)))
        >>> sizes_of(frame, calls).filter(what="latency").row(0)
        ('latency', 1200, 1300, 1)
    """
    by_run = calls.group_by("row").agg(value.alias(name) for name, value in _OF_CALLS.items())
    tables = [frame.select(value.alias(name) for name, value in _OF_RUNS.items())]
    long = pl.concat(
        table.unpivot(variable_name="what", value_name="value").drop_nulls()
        for table in [*tables, by_run.drop("row")]
    )
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
