"""Which tools stand in one run, and which of them comes first: counts of pairs."""

from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

MOST: Final = 64  # tools of which pairs are counted; those met first
_NEVER: Final = np.iinfo(np.int32).max


class Pairs:
    """Counts pairs of tools over runs.

    Attributes:
        names: the tools, by which the tables below are ordered.
        both: in how many runs both stand; on the diagonal, in how many one does.
        before: in how many of these the first call of one comes before the first of the other.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.both: NDArray[np.int64] = np.zeros((MOST, MOST), dtype=np.int64)
        self.before: NDArray[np.int64] = np.zeros((MOST, MOST), dtype=np.int64)

    def add(self, runs: pl.DataFrame) -> None:
        """Count further runs, a row a run and tool, as `by_run` has them."""
        if not runs.height:
            return
        self._learn(runs)
        known = runs.filter(pl.col("name").is_in(self.names))
        codes = known["name"].cast(pl.Enum(self.names)).to_physical().to_numpy()
        rows = known["row"].rank("dense").to_numpy().astype(np.int64) - 1
        first = np.full((int(rows.max(initial=-1)) + 1, len(self.names)), _NEVER, dtype=np.int32)
        first[rows, codes] = known["first"].to_numpy()
        self._count(first)

    def twos(self, least: int) -> list[tuple[int, int]]:
        """The places of all pairs of tools of which enough runs call the first."""
        many = range(len(self.names))
        known = [place for place in many if self.both[place, place] >= least]
        return [(a, b) for a in known for b in many if a != b]

    def _learn(self, runs: pl.DataFrame) -> None:
        counts = runs["name"].value_counts(name="n").sort("n", "name", descending=[True, False])
        new = [name for name in counts["name"].to_list() if name not in self.names]
        self.names += new[: MOST - len(self.names)]

    def _count(self, first: NDArray[np.int32]) -> None:
        count = first.shape[1]
        there = first != _NEVER
        numbers: NDArray[Any] = there.astype(np.float32)
        self.both[:count, :count] += (numbers.T @ numbers).astype(np.int64)
        for one in range(count):
            earlier = (first[:, [one]] < first) & there
            self.before[one, :count] += earlier.sum(axis=0)
