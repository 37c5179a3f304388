"""Scores counted part by part: how many, their sum, how many in each band."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, Literal

import polars as pl
import polars.selectors as cs

from batcheval.errors import UnknownScorerError

# Every finite score lies in exactly one band, one outside 0..1 in the band at its end.
BANDS: Final = {
    "full": "1.0",
    "high": "0.7 to <1",
    "middle": "0.4 to <0.7",
    "low": ">0 to <0.4",
    "zero": "0.0",
}
TALLY: Final = pl.Schema(
    {
        "scorer": pl.String(),
        "scored": pl.Int64(),
        "unscored": pl.Int64(),
        "total": pl.Float64(),
        **dict.fromkeys(BANDS, pl.Int64()),
    }
)
Scores = pl.LazyFrame | pl.DataFrame


def tally(scores: Scores, scorers: Sequence[str]) -> pl.DataFrame:
    """Count the scores of some traces; what `merge` adds up and `from_tally` turns into a summary.

    Args:
        scores: a row a trace, a column a scorer, as `score()` gives it.
        scorers: the columns to count, in the order that the rows shall have.

    Returns:
        A row a scorer: `scorer`; `scored` and `unscored`, the numbers of traces; `total`, the sum
        of the scores; and the number of scores in each of the `BANDS`. NaN counts as unscored.

    Raises:
        UnknownScorerError: there is no such column.

    Example:
        >>> tally(pl.DataFrame({"polite": [1.0, 0.5, None]}), ["polite"]).row(0)
        ('polite', 2, 1, 1.5, 1, 0, 1, 0, 0)
    """
    lazy = scores.lazy()
    require_scorers(scorers, lazy.collect_schema())
    if not scorers:
        return TALLY.to_frame()
    rows = lazy.select(pl.struct(counts_of(cs.by_name(s).as_expr())).alias(s) for s in scorers)
    wide = rows.collect(engine=_engine(scores))
    counts = pl.concat(wide[scorer].struct.unnest() for scorer in scorers)
    return apart(counts.with_columns(pl.Series("scorer", scorers, pl.String)))


def tally_long(scores: Scores, scorers: Sequence[str]) -> pl.DataFrame:
    """The same for scores with a row a trace and scorer, in the columns `scorer` and `score`."""
    rows = scores.lazy().group_by("scorer").agg(counts_of(pl.col("score")))
    found = apart(rows.collect(engine=_engine(scores)))
    ordered = pl.DataFrame({"scorer": scorers}, schema={"scorer": pl.String})
    return ordered.join(found, on="scorer", how="left", maintain_order="left").fill_null(0)


def merge(tallies: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """The tally of all the traces that some tallies have counted in parts.

    Example:
        >>> parts = [pl.DataFrame({"polite": [score]}) for score in (1.0, 0.0)]
        >>> merge(tally(part, ["polite"]) for part in parts)["scored"].item()
        2
    """
    parts = pl.concat([TALLY.to_frame(), *tallies])
    return parts.group_by("scorer", maintain_order=True).sum()


def require_scorers(scorers: Iterable[str], known: Iterable[str]) -> None:
    """Raise `UnknownScorerError` unless all these scorers are known."""
    names = list(known)
    for name in scorers:
        if name not in names:
            raise UnknownScorerError(name, names)


def wanted_scorers(scorers: str | Sequence[str] | None, known: Sequence[str]) -> list[str]:
    """Those that were asked for, each once; all that are known if none was.

    Raises:
        UnknownScorerError: there is no such scorer.

    Example:
        >>> wanted_scorers("polite", ["right", "polite"]), wanted_scorers(None, ["right"])
        (['polite'], ['right'])
    """
    if scorers is None:
        return list(known)
    ids = [scorers] if isinstance(scorers, str) else list(dict.fromkeys(scorers))
    require_scorers(ids, known)
    return ids


def _engine(scores: Scores) -> Literal["in-memory", "streaming"]:
    return "streaming" if isinstance(scores, pl.LazyFrame) else "in-memory"


def counts_of(column: pl.Expr) -> list[pl.Expr]:
    """What is counted; a band holds all above it too, which `apart` undoes: half the work."""
    score = column.cast(pl.Float64).fill_nan(None)
    return [
        score.count().alias("scored"),
        score.null_count().alias("unscored"),
        score.sum().alias("total"),
        (score >= 1.0).sum().alias("full"),
        (score >= 0.7).sum().alias("high"),
        (score >= 0.4).sum().alias("middle"),
        (score > 0.0).sum().alias("low"),
    ]


def apart(counts: pl.DataFrame) -> pl.DataFrame:
    """What `counts_of` gives, each band without those above it."""
    upper = ["full", "high", "middle", "low", "scored"]
    below = {b: pl.col(b) - pl.col(a) for a, b in pairwise(upper)}
    below["zero"] = below.pop("scored")
    return counts.with_columns(**below).select(
        pl.col(name).cast(dtype) for name, dtype in TALLY.items()
    )
