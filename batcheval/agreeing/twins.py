"""Checks that say the same thing, told from their verdicts on the same rows."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import polars as pl

NEAR: Final = 0.9  # a phi from which on two checks are as good as one

PAIRS: Final = pl.Schema(
    {
        "first": pl.String(),
        "second": pl.String(),
        "n": pl.Int64(),
        "same": pl.Int64(),
        "phi": pl.Float64(),
        "relation": pl.String(),
    }
)


def verdicts(scores: pl.LazyFrame, scorers: Sequence[str], threshold: float) -> pl.DataFrame:
    """The patterns of verdicts that occur, and how many rows have each, streaming.

    Args:
        scores: a row a trace.
        scorers: the columns to judge; in the result they are true, false, or null if unscored.
        threshold: a score of at least this passes.

    Returns:
        A column a scorer, and `rows`.
    """
    judged = [(score(name) >= threshold).alias(name) for name in scorers]
    counted = scores.select(judged).group_by(scorers).agg(pl.len().alias(_ROWS))
    return counted.collect(engine="streaming")


_ROWS: Final = "\0rows"


def score(name: str) -> pl.Expr:
    """The scores of a scorer; what is no finite number is none."""
    number = pl.col(name).cast(pl.Float64)
    return pl.when(number.is_finite()).then(number).alias(name)


def constant(patterns: pl.DataFrame, scorer: str) -> dict[str, Any]:
    """How many rows are scored and pass, and whether the check never or always fails."""
    rows, passed = patterns[_ROWS], patterns[scorer]
    scored = int(rows.filter(passed.is_not_null()).sum())
    passing = int(rows.filter(passed).sum())
    word = {0: "always fails", scored: "never fails"}.get(passing) if scored else None
    return {"scored": scored, "passing": passing, "constant": word}


def twins(patterns: pl.DataFrame, scores: pl.LazyFrame, scorers: Sequence[str]) -> pl.DataFrame:
    """The pairs of scorers that say the same of nearly every row that both have scored.

    phi is the correlation of two verdicts, in -1..1 (Yule 1912, "On the methods of measuring
    association between two attributes"; known as Matthews' correlation coefficient too). A pair is
    listed if phi is at least 0.9, or at most -0.9. Checks that never or always fail are in none.

    Args:
        patterns: as `verdicts` gives them.
        scores: a row a trace, to be asked whether scores are equal too.
        scorers: the columns.

    Returns:
        A row a pair: the `first` scorer and the `second`, `n` rows that both have scored, in how
        many their verdicts are the `same`, `phi`, and the `relation`: same scores, same verdicts,
        nearly the same, or opposite.
    """
    found = list(_pairs(patterns, scorers))
    alike = [pair for pair in found if pair["same"] == pair["n"]]
    equal = [
        (score(pair["first"]) == score(pair["second"])).all().alias(str(place))
        for place, pair in enumerate(alike)
    ]
    if equal:
        answers = scores.select(equal).collect(engine="streaming").row(0)
        for pair, is_equal in zip(alike, answers, strict=True):
            pair["relation"] = "same scores" if is_equal else "same verdicts"
    return pl.DataFrame(found, schema=PAIRS)


def _pairs(patterns: pl.DataFrame, scorers: Sequence[str]) -> Iterator[dict[str, Any]]:
    rows = patterns[_ROWS].to_numpy().astype(np.float64)[:, None]
    columns = [patterns[name] for name in scorers]
    passes, fails = (
        np.column_stack([side.fill_null(False).to_numpy() for side in sides]).astype(np.float64)
        for sides in (columns, [~column for column in columns])
    )
    both, neither = passes.T @ (rows * passes), fails.T @ (rows * fails)
    only = passes.T @ (rows * fails)
    for i, first in enumerate(scorers):
        for j in range(i + 1, len(scorers)):
            a, b, c, d = both[i, j], only[i, j], only[j, i], neither[i, j]
            product = (a + b) * (c + d) * (a + c) * (b + d)
            phi = (a * d - b * c) / product**0.5 if product else 0.0
            if abs(phi) >= NEAR:
                relation = "nearly the same" if phi > 0 else "opposite"
                pair = {"first": first, "second": scorers[j], "n": int(a + b + c + d)}
                yield pair | {"same": int(a + d), "phi": phi, "relation": relation}
