"""How many calls a run made at once."""

import numpy as np
import polars as pl

from batcheval.checks.called.flat import Flat, Ints, flat


def most_at_once(lists: pl.Series) -> pl.Series:
    """For each row the largest number of calls made at once; null where that cannot be told.

    Args:
        lists: the canonical column of calls.
    """
    calls = flat(lists, "message", "started_at", "duration_ms")
    told = calls.calls["message"].is_not_null()
    by_message = calls.kept(told)
    told_rows = by_message.counts() > 0
    by_time = calls.kept(pl.Series(~told_rows[calls.rows], dtype=pl.Boolean))
    total = calls.counts()
    running, is_timed = _running(by_time)
    most = np.where(told_rows, _of_messages(by_message), running)
    known = told_rows | is_timed | (total <= 1)
    return pl.Series(np.where(total <= 1, total, most)).set(pl.Series(~known), None)


def _of_messages(calls: Flat) -> Ints:
    groups = pl.DataFrame({"row": calls.rows, "message": calls.calls["message"]})
    sizes = groups.group_by("row", "message").len()
    return _largest(sizes["row"].to_numpy(), sizes["len"].to_numpy(), calls.height)


def _running(calls: Flat) -> tuple[Ints, np.ndarray]:
    """The most calls that ran at one moment; and whether all calls of the row tell their times."""
    start = calls.calls["started_at"].dt.timestamp("us")
    took = calls.calls["duration_ms"]
    timed = start.is_not_null() & took.is_between(0, 1e12).fill_null(False)
    silent = calls.counts((~timed).to_numpy())
    kept = calls.kept(timed)
    begun = kept.calls["started_at"].dt.timestamp("us").cast(pl.Int64).to_numpy()
    took_us = np.round(kept.calls["duration_ms"].to_numpy() * 1000).astype(np.int64)
    ended = begun + np.maximum(took_us, 1)  # each runs at some moment
    step = np.repeat([1, -1], begun.size)
    rows, when = np.tile(kept.rows, 2), np.concatenate([begun, ended])
    order = np.lexsort((step, when, rows))  # an end comes before a start of the same moment
    level = np.cumsum(step[order])  # 0 again behind each row
    return _largest(rows[order], level, calls.height), silent == 0


def _largest(rows: Ints, values: Ints, height: int) -> Ints:
    found = np.zeros(height, np.int64)
    np.maximum.at(found, rows, values)
    return found
