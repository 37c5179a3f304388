"""Scores, brought down to one row a slice and scorer."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import polars as pl

from batcheval.errors import BadArgumentError, TakenColumnError
from batcheval.schema import with_paths
from batcheval.stores import Address, Place
from batcheval.summary.files import is_long, open_scores, scorer_ids
from batcheval.summary.scans import readable
from batcheval.summary.shares import from_tally
from batcheval.summary.tallies import Scores, apart, counts_of, require_scorers

MOST: Final = 1_000


def summarize_by(
    scores: Scores | Place | str, by: Sequence[str], scorers: Sequence[str] | None = None
) -> pl.DataFrame:
    """One row a slice and scorer.

    Args:
        scores: as for `summarize`.
        by: columns among the scores, or paths into such; each value makes a slice, null too.
        scorers: the ids to sum up, as for `summarize`.

    Returns:
        `column` and `value` (as text, null for null), then the columns of `summarize`; by column,
        value and scorer.

    Raises:
        MissingColumnsError: the scores have no such column.
        BadArgumentError: a column has more than 1,000 values, or is a list or struct.
        UnknownScorerError: the scores have no such scorer.

    Example:
        >>> scores = pl.DataFrame({"city": ["Bern", "Lyon", "Lyon"], "polite": [1.0, 0.5, None]})
        >>> summarize_by(scores, ["city"]).select("value", "mean", "scored").rows()
        [('Bern', 1.0, 1), ('Lyon', 0.5, 1)]
    """
    if isinstance(scores, Path | Address | str):
        file = open_scores(scores)
        with readable(scores):
            return _summaries(file.scores, file.long, by, file.scorers, scorers)
    lazy = scores.lazy()
    known = scorer_ids(lazy)
    return _summaries(lazy, is_long(lazy.collect_schema()), by, known, scorers)


def _summaries(
    scores: pl.LazyFrame,
    long: bool,
    by: Sequence[str],
    known: Sequence[str],
    wanted: Sequence[str] | None,
) -> pl.DataFrame:
    ids = known if wanted is None else wanted
    require_scorers(ids, known)
    return pl.concat([_of_column(scores, long, column, ids) for column in by])


def _of_column(scores: pl.LazyFrame, long: bool, column: str, ids: Sequence[str]) -> pl.DataFrame:
    rows = with_paths(scores, {column: "by"})
    if rows.collect_schema()[column].is_nested():
        raise BadArgumentError("by", "a column of texts, numbers or times", column)
    if long and column in ("scorer", "score"):
        raise TakenColumnError(column)
    value = pl.col(column).cast(pl.String).alias("value")
    if not long:
        rows = rows.select(value, *ids)
        parts = [
            rows.group_by("value").agg(counts_of(pl.col(name)), scorer=pl.lit(name)) for name in ids
        ]
        tallied = pl.concat(pl.collect_all(parts, engine="streaming"))
    else:
        rows = rows.filter(pl.col("scorer").is_in(list(ids))).select(value, "scorer", "score")
        tallied = rows.group_by("value", "scorer").agg(counts_of(pl.col("score"))).collect()
    if tallied["value"].n_unique() > MOST:
        raise BadArgumentError("by", f"columns of at most {MOST:,} values", column)
    place = pl.col("scorer").replace_strict(list(ids), range(len(ids)), return_dtype=pl.Int64)
    tallied = tallied.sort("value", place, nulls_last=True)
    found = from_tally(apart(tallied))
    return found.select(pl.lit(column).alias("column"), tallied["value"], pl.all())
