"""Rows as records of a hash and a row number, and what can be asked of many of them at once."""

from typing import Any, Final, TypeAlias

import numpy as np
import polars as pl

KEY: Final = ("trace_id", "run", "trial")
PLACES: Final = 5  # rows that are remembered of one hash

# `count` is how many rows a record stands for: the first of a hash stands for those left out.
RECORD: Final = np.dtype([("hash", "u8"), ("row", "u8"), ("count", "u8")])

Array: TypeAlias = np.ndarray[Any, Any]


def key_hashes(frame: pl.DataFrame) -> Array:
    """A hash of 64 bits for each row's key; null is a value like any other."""
    types = {"trace_id": pl.String, "run": pl.String, "trial": pl.Int64}
    key = pl.struct(pl.col(name).cast(types[name]) for name in KEY)
    return frame.select(key.hash(seed=0)).to_series().to_numpy()


def records_of(hashes: Array, rows: Array) -> Array:
    """A record for each row."""
    records = np.empty(hashes.size, RECORD)
    records["hash"], records["row"], records["count"] = hashes, rows, 1
    return records


def recurring(hashes: Array) -> Array:
    """Where the values stand that stand more than once, in order."""
    ordered = np.sort(hashes)
    again = ordered[1:][ordered[1:] == ordered[:-1]]
    if not again.size:
        return np.empty(0, np.intp)
    again = again[_starts(again)]
    near = np.minimum(np.searchsorted(again, hashes), again.size - 1)
    return np.flatnonzero(again[near] == hashes)


def crowded(hashes: Array) -> bool:
    """Whether some value stands more often than its rows are remembered."""
    ordered = np.sort(hashes)
    return bool((ordered[PLACES:] == ordered[:-PLACES]).any())


def thinned(records: Array) -> Array:
    """The records by hash, the first few rows of each; the first counts for all of them.

    Args:
        records: in order of their rows.
    """
    records = records[np.argsort(records["hash"], kind="stable")]
    starts = _starts(records["hash"])
    if starts.size:
        counts = np.add.reduceat(records["count"], starts)
        records["count"] = 0
        records["count"][starts] = counts
    sizes = np.diff(starts, append=records.size)
    rank = np.arange(records.size) - np.repeat(starts, sizes)
    kept: Array = records[rank < PLACES]
    return kept


def earliest(records: Array, number: int) -> list[Array]:
    """The records of the few hashes that stand first.

    Args:
        records: `thinned` ones.
        number: how many hashes.
    """
    starts = _starts(records["hash"])
    ends = np.append(starts[1:], records.size)
    chosen = np.argsort(records["row"][starts], kind="stable")[:number]
    return [records[starts[place] : ends[place]] for place in chosen]


def _starts(ordered: Array) -> Array:
    new = np.ones(ordered.size, bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return np.flatnonzero(new)
