"""Scores, brought down to one row a scorer: mean, bands, how many were scored."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from batcheval.stores import Address, Place
from batcheval.summary.files import is_long, open_scores, scorer_ids
from batcheval.summary.scans import readable
from batcheval.summary.tallies import BANDS, Scores, require_scorers, tally, tally_long


def from_tally(tallied: pl.DataFrame) -> pl.DataFrame:
    """The summary that a tally comes to; `summarize` says what is in it."""
    scored = pl.when(pl.col("scored") > 0).then(pl.col("scored"))
    mean = pl.col("total") / scored
    return tallied.rechunk().select(  # polars divides a chunk of one row less exactly
        "scorer",
        pl.when(mean.is_finite()).then(mean).alias("mean"),
        *(pl.col(band) / scored for band in BANDS),
        "scored",
        "unscored",
    )


def summarize(scores: Scores | Place | str, scorers: Sequence[str] | None = None) -> pl.DataFrame:
    """One row a scorer.

    Args:
        scores: a table of scores, wide or long, or a file of them as `write_scores` leaves it.
        scorers: the ids to sum up. Without: those that the file names, else every Float64 column
            that is none of the traces' own.

    Returns:
        A row a scorer, in the order of the columns: `scorer`; `mean` of the scored traces, null
        if none is; the shares of the scored traces in the bands: `full` (exactly 1.0), `high` (0.7
        to below 1), `middle` (0.4 to below 0.7), `low` (above 0 to below 0.4) and `zero` (exactly
        0.0); the numbers of traces `scored` and `unscored`.

    Raises:
        UnreadableFileError: there is no such file, or it is damaged.
        NotScoresError: there are no scores in it.
        UnknownScorerError: the scores have no such scorer.

    Example:
        >>> scores = pl.DataFrame({"trace_id": ["a", "b", "c"], "polite": [1.0, 0.5, None]})
        >>> summarize(scores).row(0)
        ('polite', 0.75, 0.5, 0.0, 0.5, 0.0, 0.0, 2, 1)
    """
    if isinstance(scores, Path | Address | str):
        file = open_scores(scores)
        with readable(scores):
            return _summary(file.scores, file.long, file.scorers, scorers)
    lazy = scores.lazy()
    long = is_long(lazy.collect_schema())
    known = scorer_ids(lazy) if long or scorers is None else scorers
    return _summary(lazy, long, known, scorers)


def _summary(
    scores: pl.LazyFrame, long: bool, known: Sequence[str], wanted: Sequence[str] | None
) -> pl.DataFrame:
    ids = known if wanted is None else wanted
    if not long:
        return from_tally(tally(scores, ids))
    require_scorers(ids, known)
    return from_tally(tally_long(scores, ids))
