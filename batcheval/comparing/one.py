"""compare(): two runs, paired, and what their scores say of the difference."""

from collections.abc import Sequence

from batcheval.comparing.many import compare_many
from batcheval.comparing.result import Comparison
from batcheval.comparing.runs import Source
from batcheval.schema import Frame


def compare(
    base: Source,
    candidate: Source,
    *,
    key: str | Sequence[str] | None = None,
    by: str | Sequence[str] = (),
    cluster: str | None = None,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    traces: Frame | None = None,
) -> Comparison:
    """Is the candidate better than the base? Their rows are paired by key and compared.

    Args:
        base: a scores file, a folder of them, `FILE@RUN` for the rows of one run in a file, an
            opened `ScoresFile`, or a table of scores, wide or long. A lazy one is read several
            times: collect it if it has yet to be scored.
        candidate: the same.
        key: a column or several by which rows pair; ids as numbers and as text are alike. Without:
            `task_id` and, where both runs have it, `trial`; if no row pairs by it, `trace_id`;
            if none does, the text of the input. Rows with one key are repeats if their `trial`
            differs: the mean of their scores is compared.
        by: columns, or paths such as `metadata.city`, for each of which the slices are compared
            too; `tool`, for the tools called (a pair is in the slice of every tool that either run
            called); `length(COLUMN)`, for the characters of a text. Numbers of more than 20 values
            are cut into quarters. The base says which slice a pair is in, where it has the column.
        cluster: a column that tells which pairs are not independent, such as one of documents that
            several tasks are about. Without: the trials of a task are a cluster.
        confidence: of the intervals, and 1 - the share of false alarms for the verdict.
        resamples: of each bootstrap; 0 for intervals from the standard error.
        seed: of the bootstraps.
        traces: where to look up columns that the scores lack, such as `metadata.city` or `input`;
            without, the files that the scores name are read again.

    Returns:
        The comparison. Its table `scorers` has a row a scorer: `n`, the pairs in which both are
        scored, and `clusters` that they are in; `unscored_base` and `unscored_candidate`, the pairs
        without a score there; the means `base` and `candidate`, their `difference`, its interval
        `low` to `high` and how it was made (`interval`); the standard error `se`, robust against
        clusters, and the interval of Student's t by it, `se_low` to `se_high`; `wins`, `ties` and
        `losses`; the `test`, its `p`, and p adjusted over the scorers by Holm (`p_holm`) and by
        Benjamini and Hochberg (`p_bh`); an `effect` size and its name; `mde`, the difference that
        would be shown in 4 of 5 such comparisons; and the `verdict`: better, worse, no difference
        shown, or too few to tell.

        Scores of 0 and 1 alone get the exact McNemar test and an interval after Bonett and Price;
        others the Wilcoxon signed-rank test and a BCa bootstrap; in clusters all get a
        cluster-robust t test and a BCa bootstrap of clusters (Miller 2024, "Adding Error Bars to
        Evals", arXiv 2411.00640). The functions of `batcheval.comparing` name each source.

    Raises:
        UnreadableFileError: there is no such file, or it is damaged.
        NotScoresError: there are no scores in it.
        UnknownRunError: a file has no such run.
        NoSharedScorersError: the runs have no scorer in common.
        UnkeptColumnError: the scores lack a column of `key`, `by` or `cluster`, and do not say
            where their traces are.
        LostTracesError: they lack one, and their traces are gone.
        RepeatedKeysError: a key stands on several rows that are no trials of one task.
        NoPairsError: no key of one run is in the other.
        BadArgumentError: an argument makes no sense.

    Example:
        >>> import polars as pl
        >>> ids = [f"t{number}" for number in range(8)]
        >>> base = pl.DataFrame({"trace_id": ids, "right": [0.0] * 8})
        >>> candidate = pl.DataFrame({"trace_id": ids, "right": [1.0] * 7 + [0.0]})
        >>> compare(base, candidate).scorers.select("n", "wins", "losses", "p", "verdict").row(0)
        (8, 7, 0, 0.015625, 'better')
    """
    (found,) = compare_many(
        base,
        [candidate],
        key=key,
        by=by,
        cluster=cluster,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        traces=traces,
    )
    return found
