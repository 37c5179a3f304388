"""The search for repeated ids."""

from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

import numpy as np
import polars as pl

from batcheval.repeats.found import Repeats
from batcheval.repeats.records import (
    Array,
    crowded,
    earliest,
    key_hashes,
    records_of,
    recurring,
    thinned,
)
from batcheval.repeats.spill import Spill


class RepeatedIds:
    """Finds repeated ids among rows that come in frames; for use in a `with` statement.

    Two rows repeat each other if `trace_id`, `run` and `trial` are equal, null being equal to null.
    Only a hash of 64 bits is held of each row, so that two different ids may be taken for one: with
    a likelihood of about 3e-4 among 100 million rows. Beyond `memory_rows` the hashes go to a
    temporary file, 24 bytes a row, that has no name and is gone with the process.

    Args:
        memory_rows: the hashes to hold in memory, 8 bytes each.
        folder: where a temporary file is made, instead of the system's folder for such files.

    Example:
        >>> rows = pl.DataFrame(
        ...     {"trace_id": ["a", "b", "a"], "source": ["t.jsonl"] * 3, "line": [1, 2, 3]}
        ... ).with_columns(pl.lit(None).alias("run"), pl.lit(None).alias("trial"))
        >>> with RepeatedIds() as ids:
        ...     ids.add(rows)
        ...     repeats = ids.find()
        >>> repeats.ids, repeats.rows
        (1, 2)
        >>> repeats.examples(rows.lazy())[0]["places"]
        ['t.jsonl:1', 't.jsonl:3']
    """

    def __init__(self, memory_rows: int = 1_000_000, folder: Path | None = None) -> None:
        self._held = np.empty(memory_rows, np.uint64)
        self._filled, self._first_row = 0, 0
        self._folder = folder
        self._spill: Spill | None = None

    def __enter__(self) -> "RepeatedIds":
        """The finder itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Remove the temporary file, if there is one."""
        if self._spill is not None:
            self._spill.close()

    def add(self, frame: pl.DataFrame) -> None:
        """Take the next rows; of their columns `trace_id`, `run` and `trial` are read.

        Raises:
            SpillFailedError: the temporary file cannot be written.
        """
        hashes = key_hashes(frame)
        while hashes.size:
            if self._filled == self._held.size:
                self._spill_held()
            taken = hashes[: self._held.size - self._filled]
            self._held[self._filled : self._filled + taken.size] = taken
            self._filled += taken.size
            hashes = hashes[taken.size :]

    def find(self, examples: int = 5) -> Repeats:
        """The repeated ids among the rows so far.

        Args:
            examples: how many ids to remember for `Repeats.examples`.

        Raises:
            SpillFailedError: the temporary file cannot be written or read.
        """
        ids = rows = 0
        first: list[Array] = []
        for part in self._parts():
            repeated = thinned(part[recurring(part["hash"])])
            ids += int((repeated["count"] > 0).sum())
            rows += int(repeated["count"].sum())
            first = sorted(first + earliest(repeated, examples), key=_first_row)[:examples]
        groups = tuple(tuple(group["row"].tolist()) for group in first)
        return Repeats(ids, rows, groups, tuple(int(group["count"][0]) for group in first))

    def _parts(self) -> Iterable[Array]:
        """The records of the rows, those of one hash in one part; of unique ones perhaps none."""
        if self._spill is None:
            places = recurring(self._held[: self._filled])
            return [records_of(self._held[places], places)]
        self._spill_held()
        return self._spill.buckets()

    def _spill_held(self) -> None:
        hashes = self._held[: self._filled]
        records = records_of(hashes, np.arange(self._filled) + self._first_row)
        self._spill = self._spill or Spill(self._folder)
        self._spill.write(thinned(records) if crowded(hashes) else records)
        self._first_row += self._filled
        self._filled = 0


def _first_row(group: Array) -> int:
    return int(group["row"][0])
