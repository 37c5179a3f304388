"""The rows of a run as trials of tasks: how many each task had, how many succeeded."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import polars as pl

from batcheval.comparing.keys import TRIAL, as_text, columns_of
from batcheval.comparing.runs import Run, run_names
from batcheval.schema import with_paths

_CHOICES: Final = ("task_id", "input", "trace_id")
_TASK: Final = "\0task"

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
        table: a row a scorer and task, as `reliability` tells.
    """

    column: str
    rows: int
    without_task: int
    runs: list[str]
    repeated: int
    table: pl.DataFrame


def tasks_of(run: Run, scorers: Sequence[str], task: str | None, threshold: float) -> Tasks:
    """The trials of each task counted, streaming.

    Args:
        run: whose rows are trials.
        scorers: of which a row each is made for every task.
        task: the column or path that tells tasks; without, the first of `task_id`, `input` and
            `trace_id` that has values.
        threshold: a trial with a score of at least this succeeds.

    Raises:
        UnkeptColumnError: the scores lack the column.
        BadArgumentError: it is a list or struct.
    """
    column = task or _first_filled(run)
    dtype = columns_of(run, [column], "task")[column]
    rows = with_paths(run.scores, {column: "task"})
    rows = rows.with_columns(as_text(column, dtype, "task").alias(_TASK))
    tasks = rows.select(_TASK).collect(engine="streaming").to_series()
    trials = rows.filter(pl.col(_TASK).is_not_null())
    return Tasks(
        *(column, tasks.len(), tasks.null_count(), run_names(trials), _repeated(trials)),
        table=_table(trials, scorers, threshold),
    )


def _first_filled(run: Run) -> str:
    names = [name for name in _CHOICES if name in run.scores.collect_schema()]
    found = run.scores.select(pl.col(name).is_not_null().any() for name in names).collect()
    return next((name for name in names if found[name].item()), "task_id")


def _repeated(trials: pl.LazyFrame) -> int:
    """How many rows bear the number of an earlier trial of the same task and run."""
    names = [name for name in ("run", TRIAL) if name in trials.collect_schema()]
    if TRIAL not in names:
        return 0
    numbered = trials.filter(pl.col(TRIAL).is_not_null()).group_by(_TASK, *names).len()
    return int(numbered.select((pl.col("len") - 1).sum()).collect(engine="streaming").item())


def _table(trials: pl.LazyFrame, scorers: Sequence[str], threshold: float) -> pl.DataFrame:
    counts = [pl.struct(_counts(scorer, threshold)).alias(scorer) for scorer in scorers]
    wide = trials.group_by(_TASK, maintain_order=True).agg(counts).collect(engine="streaming")
    parts = [
        wide[scorer]
        .struct.unnest()
        .with_columns(wide[_TASK].alias("task"), scorer=pl.lit(scorer))
        .select(pl.col(name).cast(dtype) for name, dtype in TASKS.items())
        for scorer in scorers
    ]
    return pl.concat([TASKS.to_frame(), *parts])


def _counts(scorer: str, threshold: float) -> list[pl.Expr]:
    score = pl.col(scorer).cast(pl.Float64)
    score = pl.when(score.is_finite()).then(score)
    return [
        score.count().alias("trials"),
        score.null_count().alias("unscored"),
        (score >= threshold).sum().alias("successes"),
        score.mean().alias("mean"),
        score.std(ddof=0).alias("spread"),
    ]
