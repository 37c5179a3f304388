"""The rows of a run as trials of tasks: how many each task had, how many succeeded."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import polars as pl

from batcheval.comparing.keys import TRIAL, as_text
from batcheval.comparing.runs import Run, run_names
from batcheval.comparing.sources import looked_up
from batcheval.schema import with_paths

_CHOICES: Final = ("task_id", "input", "trace_id")
_TASK: Final = "\0task"
_PLACE: Final = "\0place"

TASKS: Final = pl.Schema(
    {
        "scorer": pl.String(),
        "task": pl.String(),
        "trials": pl.Int64(),
        "unscored": pl.Int64(),
        "successes": pl.Int64(),
        "mean": pl.Float64(),
        "spread": pl.Float64(),
    }
)


class Tasks(NamedTuple):
    """The tasks of a run, and what became of its rows.

    Attributes:
        column: the column that tells the tasks.
        rows: how many rows there are.
        without_task: how many of them have null there; they are no trials.
        runs: the names of the runs that the trials are of.
        repeated: how many rows have the task, run and `trial` number of an earlier one.
        tables: of each scorer, a row a task, in the order of the rows.
    """

    column: str
    rows: int
    without_task: int
    runs: list[str]
    repeated: int
    tables: dict[str, pl.DataFrame]


def tasks_of(run: Run, scorers: Sequence[str], task: str | None, threshold: float) -> Tasks:
    """The trials of each task counted, streaming.

    Args:
        run: whose rows are trials.
        scorers: of which a row each is made for every task.
        task: the column or path that tells tasks, of the scores or of their traces; without, the
            first of `task_id`, `input` and `trace_id` that has values.
        threshold: a trial with a score of at least this succeeds.

    Raises:
        UnkeptColumnError: the scores lack the column, and do not say where their traces are.
        BadArgumentError: it is a list or struct.
    """
    column = task or _first_filled(run)
    rows = with_paths(looked_up(run, {column: "task"}).scores, {column: "task"})
    value = as_text(column, rows.collect_schema()[column], "task")
    rows = rows.with_columns(value.alias(_TASK))
    tasks = rows.select(_TASK).collect(engine="streaming").to_series()
    trials = rows.filter(pl.col(_TASK).is_not_null())
    return Tasks(
        *(column, tasks.len(), tasks.null_count(), run_names(trials), _repeated(trials, column)),
        tables=_tables(trials, scorers, threshold),
    )


def _first_filled(run: Run) -> str:
    names = [name for name in _CHOICES if name in run.scores.collect_schema()]
    found = run.scores.select(pl.col(name).is_not_null().any() for name in names).collect()
    return next((name for name in names if found[name].item()), "task_id")


def _repeated(trials: pl.LazyFrame, column: str) -> int:
    """How many rows bear the number of an earlier trial of the same task and run."""
    names = [name for name in ("run", TRIAL) if name in trials.collect_schema()]
    if TRIAL not in names or column != "task_id":  # of another task, numbers may well be the same
        return 0
    numbered = trials.filter(pl.col(TRIAL).is_not_null()).group_by(_TASK, *names).len()
    return int(numbered.select((pl.col("len") - 1).sum()).collect(engine="streaming").item())


def _tables(
    trials: pl.LazyFrame, scorers: Sequence[str], threshold: float
) -> dict[str, pl.DataFrame]:
    numbered = trials.select(_TASK, *map(_score, scorers)).with_row_index(_PLACE)
    counts = [count for scorer in scorers for count in _counts(scorer, threshold)]
    # Aggregates one by one: as fields of a struct they take four times as long.
    grouped = numbered.group_by(_TASK).agg(pl.col(_PLACE).min(), *counts)
    wide = grouped.sort(_PLACE).collect(engine="streaming")
    return {
        scorer: wide.select(
            pl.lit(scorer).alias("scorer"),
            pl.col(_TASK).alias("task"),
            *(pl.col(f"{name}:{scorer}").cast(TASKS[name]).alias(name) for name in list(TASKS)[2:]),
        )
        for scorer in scorers
    }


def _score(scorer: str) -> pl.Expr:
    score = pl.col(scorer).cast(pl.Float64)
    return pl.when(score.is_finite()).then(score).alias(scorer)


def _counts(scorer: str, threshold: float) -> list[pl.Expr]:
    score = pl.col(scorer)
    return [
        score.count().alias(f"trials:{scorer}"),
        score.null_count().alias(f"unscored:{scorer}"),
        (score >= threshold).sum().alias(f"successes:{scorer}"),
        score.mean().alias(f"mean:{scorer}"),
        score.std(ddof=0).alias(f"spread:{scorer}"),
    ]
