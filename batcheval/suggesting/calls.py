"""The calls of a frame of traces, one a row, and what each run did with each tool."""

from typing import Final

import polars as pl

from batcheval.schema import TOOL_CALLS

GOOD: Final = "\0good"  # of a run: true, false, or null where nobody says
_TEXT: Final = 300  # characters of an error that are looked at


def calls_of(frame: pl.DataFrame) -> pl.DataFrame:
    """The calls that checks of tools count, in order.

    Args:
        frame: rows of the canonical table, with `GOOD`.

    Returns:
        `row`, whether that run is good, and of each call its `place`, `name`, `args`, whether it
        `failed` and the `text` of its error.
    """
    rows = frame.select(GOOD, TOOL_CALLS, row=pl.int_range(pl.len()))
    calls = rows.explode("tool_calls").drop_nulls("tool_calls").unnest("tool_calls")
    failed = pl.col("state").is_in(["error", "pending"])
    text = pl.coalesce("error", pl.when(failed).then("result")).str.head(_TEXT)
    named = (pl.col("name") != "") & (pl.col("state") != "partial")
    return (
        calls.select(
            "row", GOOD, "name", "args", "duration_ms", failed=failed, text=text, counts=named
        )
        .filter("counts")
        .select(pl.exclude("counts"), place=pl.int_range(pl.len()))
    )


def by_run(calls: pl.DataFrame) -> pl.DataFrame:
    """What each run did with each tool: how many calls, and the places of the first and last."""
    return calls.group_by("row", "name").agg(
        pl.first(GOOD),
        first=pl.col("place").min(),
        last=pl.col("place").max(),
        calls=pl.len(),
        failed=pl.col("failed").sum(),
    )
