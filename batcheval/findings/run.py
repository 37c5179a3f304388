"""All that a page tells of one run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from batcheval.comparing import Run, Source, looked_up, open_run
from batcheval.comparing.units import as_floats
from batcheval.findings.gates import judged_run
from batcheval.findings.histograms import histogram
from batcheval.findings.means import mean_of, task_codes
from batcheval.findings.slices import slices_of
from batcheval.findings.texts import Cases
from batcheval.findings.worst import worst_of
from batcheval.judging import Judgement
from batcheval.schema import Frame, canonical
from batcheval.suite import gates_of
from batcheval.summary import summarize
from batcheval.writing import counts_of


@dataclass(frozen=True)
class RunFindings:
    """What one run came to.

    Attributes:
        run: the scores themselves.
        rows: how many traces there are.
        scorers: a row a scorer: what `summarize` gives, and the interval of the mean,
            `ci_low` to `ci_high`, with how it was made (`interval`).
        descriptions: what each scorer checks, by id, where the scores tell it.
        histograms: of each scorer, how many scores lie in each bin.
        slices: the means for each value of each column that was asked for.
        small_slices: by column, how many of fewer than `min_slice_size` traces it lacks.
        worst: the traces with the lowest mean score, those with 1.0 everywhere left out.
        judgement: what became of the gates.
        counts: of the lines read, or None.
        suite: its text, or nothing.
        version: of the batcheval that scored, or nothing.
        confidence: of the intervals.
        by_task: whether the traces of one task count as a cluster.
    """

    run: Run
    rows: int
    scorers: pl.DataFrame
    descriptions: dict[str, str]
    histograms: dict[str, list[int]]
    slices: pl.DataFrame
    small_slices: dict[str, int]
    min_slice_size: int
    worst: Cases
    judgement: Judgement
    counts: Mapping[str, Any] | None
    suite: str
    version: str
    confidence: float
    by_task: bool


def look_at_run(
    scores: Source,
    *,
    by: Sequence[str] = (),
    min_size: int = 0,
    confidence: float = 0.95,
    traces: Frame | None = None,
    counts: Mapping[str, Any] | None = None,
    suite: str | None = None,
    judgement: Judgement | None = None,
) -> RunFindings:
    """All that a page tells of one run.

    Args:
        scores: as for `compare`: a file, a folder, `FILE@RUN`, or a table.
        by: columns whose values are told apart.
        min_size: the traces that a slice must have.
        confidence: of the intervals.
        traces: where texts, and columns that the scores lack, are looked up; without, the files
            that the scores name are read again.
        counts: of the lines read, where the file has none.
        suite: its text, where the file has none.
        judgement: what became of the gates; without, those in the text of the suite are judged.

    Raises:
        UnreadableFileError: there is no such file, or it is damaged.
        NotScoresError: there are no scores in it.
        UnknownRunError: the file has no such run.
        UnkeptColumnError: the scores lack a column of `by`, and do not say where their traces are.
        LostTracesError: they lack it, and their traces are gone.
        BadArgumentError: a column of `by` has too many values.

    Example:
        >>> scores = pl.DataFrame({"trace_id": ["a", "b"], "right": [1.0, 0.0]})
        >>> found = look_at_run(scores)
        >>> found.rows, found.scorers["mean"].item(), found.worst.frame["trace_id"].to_list()
        (2, 0.5, ['b'])
    """
    table = None if traces is None else canonical(traces)
    run = open_run(scores, "the scores")
    codes = task_codes(run.scores)
    means, histograms = [], {}
    for scorer in run.scorers:
        column = as_floats(run.scores.select(pl.col(scorer).cast(pl.Float64)).collect()[scorer])
        means.append({"scorer": scorer, **mean_of(column, codes, confidence)})
        histograms[scorer] = histogram(column)
    summary = summarize(run.scores, run.scorers)
    text = _suite(run) if suite is None else suite
    having = looked_up(run, dict.fromkeys(by, "by"), table)
    slices, small = slices_of(having, by, codes, confidence, min_size)
    return RunFindings(
        run=run,
        rows=run.scores.select(pl.len()).collect().item(),
        scorers=_with_intervals(summary, means),
        descriptions=_descriptions(run),
        histograms=histograms,
        slices=slices,
        small_slices=small,
        min_slice_size=min_size,
        worst=worst_of(run, table),
        judgement=judgement or judged_run(run, gates_of(text, run.scorers), table),
        counts=counts_of_run(run) if counts is None else counts,
        suite=text,
        version=str(run.metadata.get("version", "")),
        confidence=confidence,
        by_task=codes is not None,
    )


def counts_of_run(run: Run) -> dict[str, Any] | None:
    """The counts in the file of a run, of all runs in it; None where it has none."""
    return None if run.file is None else counts_of(run.file)


def _suite(run: Run) -> str:
    return str(run.metadata.get("suite") or "")


def _descriptions(run: Run) -> dict[str, str]:
    told = run.metadata.get("scorers") or []
    return {each["id"]: str(each.get("description") or "") for each in told}


def _with_intervals(summary: pl.DataFrame, means: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    schema = {"ci_low": pl.Float64(), "ci_high": pl.Float64(), "interval": pl.String()}
    rows = [(row["low"], row["high"], row["interval"]) for row in means]
    return summary.hstack(pl.DataFrame(rows, schema=schema, orient="row"))
