"""reliability(): does the agent succeed every time, or just sometimes?"""

from collections.abc import Sequence

import polars as pl

from batcheval.comparing.runs import Source, open_run
from batcheval.errors import BadArgumentError
from batcheval.summary.tallies import wanted_scorers
from batcheval.trials.result import Reliability
from batcheval.trials.tables import AT_K, SCORERS, k_rows, scorer_row
from batcheval.trials.tasks import tasks_of


def reliability(
    scores: Source,
    scorers: str | Sequence[str] | None = None,
    *,
    k: int | Sequence[int] | None = None,
    task: str | None = None,
    threshold: float = 1.0,
    confidence: float = 0.95,
) -> Reliability:
    """How reliable is the agent over repeated trials of its tasks? pass@k, pass^k and what varies.

    Args:
        scores: a scores file, a folder of them, `FILE@RUN` for the rows of one run in a file, an
            opened `ScoresFile`, or a table of scores, wide or long; a row a trial.
        scorers: the ids of those to look at; without, all.
        k: how many trials pass@k and pass^k are about; without, 1, 2, 4, 8 and so on, up to the
            trials of the task that has most.
        task: the column, or a path such as `metadata.city`, whose equal values are one task.
            Without: `task_id`; if no row has one, `input` if it was kept, else `trace_id`.
        threshold: a trial succeeds with a score of at least this: by default in full, since part
            of a reward is no success.
        confidence: of the intervals.

    Returns:
        Three tables. `scorers` has a row a scorer: `tasks` with a scored trial, scored `trials`,
        `unscored` ones, the `fewest` and `most` scored trials of a task; the `mean` over the tasks
        of their mean scores with its interval `low` to `high`; the `spread`, the standard deviation
        among trials of one task; how many tasks `always`, `sometimes` and `never` succeeded.

        `at_k` has a row a scorer and k: the number of `tasks` with at least k scored trials, and of
        those `left_out`; the mean over the tasks of `pass_at_k`, the chance that one of k trials
        succeeds (Chen et al. 2021), and of `pass_hat_k`, the chance that all do (Yao et al. 2024),
        each an unbiased estimate with its `_low` and `_high`.

        `tasks` has a row a scorer and task, the flakiest first: `place`, its number in the order of
        the run, scored `trials`, `unscored` ones, `successes`, the `mean` score and the `spread`,
        its standard deviation in 0..0.5, here without a correction for few trials.

        Intervals are over tasks, so that trials of one task are no independent rows (Miller 2024,
        "Adding Error Bars to Evals"): see `share_interval` in `batcheval.comparing.proportions`;
        those of the mean of graded scores are Student's t. For one task there is none.

    Raises:
        UnreadableFileError: there is no such file, or it is damaged.
        NotScoresError: there are no scores in it.
        UnknownRunError: a file has no such run.
        UnknownScorerError: the scores have no such scorer.
        UnkeptColumnError: the scores lack the column `task`, and do not say where their traces are.
        LostTracesError: the scores lack it, and their traces are gone.
        MissingColumnsError: their traces lack it too.
        BadArgumentError: an argument makes no sense.

    Example:
        >>> rows = {"task_id": ["a", "a", "b", "b"], "right": [1.0, 0.0, 1.0, 1.0]}
        >>> scores = pl.DataFrame({"trace_id": list("1234"), **rows})
        >>> found = reliability(scores, k=[1, 2])
        >>> found.at_k.select("k", "pass_at_k", "pass_hat_k").rows()
        [(1, 0.75, 0.75), (2, 1.0, 0.5)]
    """
    run = open_run(scores, "the run")
    ids = wanted_scorers(scorers, run.scorers)
    asked = None if k is None else _counts(k)
    _require_between(threshold, confidence)
    found = tasks_of(run, ids, task, threshold)
    parts = found.tables.items()
    rows = [scorer_row(name, part, confidence) for name, part in parts]
    ks = asked or _powers(max(row.get("most", 1) for row in rows))
    by_k = [row for name, part in parts for row in k_rows(name, part, ks, confidence)]
    return Reliability(
        *(run.name, found.column, found.rows, found.without_task, found.runs, found.repeated),
        threshold=threshold,
        confidence=confidence,
        scorers=pl.DataFrame(rows, schema=SCORERS),
        at_k=pl.DataFrame(by_k, schema=AT_K),
        tasks=_flakiest_first([part.with_row_index("place", 1) for _, part in parts]),
    )


def _counts(k: int | Sequence[int]) -> list[int]:
    ks = [k] if isinstance(k, int) else list(k)
    if not ks or any(isinstance(n, bool) or not isinstance(n, int) or n < 1 for n in ks):
        raise BadArgumentError("k", "whole numbers from 1", k)
    return sorted(set(ks))


def _powers(most: int) -> list[int]:
    return [2**power for power in range(most.bit_length())]


def _require_between(threshold: float, confidence: float) -> None:
    if not 0 < threshold <= 1:
        raise BadArgumentError("threshold", "a score above 0, at most 1", threshold)
    if not 0 < confidence < 1:
        raise BadArgumentError("confidence", "a number between 0 and 1, such as 0.95", confidence)


def _flakiest_first(parts: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Of equally flaky tasks, those with more trials first: they are surer to be so."""
    by, falling = ["spread", "trials", "place"], [True, True, False]
    return pl.concat(part.sort(by, descending=falling, nulls_last=True) for part in parts)
