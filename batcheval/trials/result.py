"""What is known of the reliability of a run."""

from dataclasses import dataclass, field

import polars as pl


@dataclass(frozen=True)
class Reliability:
    """How reliable a run is over repeated trials of its tasks.

    Attributes:
        run: what the run is called.
        task: the column that tells the tasks.
        rows: how many rows there are.
        without_task: how many have no task, and are left out.
        runs: the names of the runs that the trials are of.
        repeated: how many rows have the task, run and `trial` number of an earlier one.
        threshold: a trial with a score of at least this succeeds.
        confidence: of the intervals.
        scorers: a row a scorer; `reliability` tells the columns.
        at_k: a row a scorer and k.
        tasks: a row a scorer and task, the flakiest first.
    """

    run: str
    task: str
    rows: int
    without_task: int
    runs: list[str]
    repeated: int
    threshold: float
    confidence: float
    scorers: pl.DataFrame = field(repr=False)
    at_k: pl.DataFrame = field(repr=False)
    tasks: pl.DataFrame = field(repr=False)

    def left_out(self, scorer: str, k: int) -> pl.DataFrame:
        """The tasks with fewer than `k` scored trials, a row each, in the order of the run."""
        rows = self.tasks.filter(pl.col("scorer") == scorer, pl.col("trials") < k)
        return rows.sort("place").drop("place")
