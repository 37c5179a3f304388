"""The tables of a comparison: a row a scorer, or a row a slice and scorer."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from batcheval.comparing.families import benjamini_hochberg, holm

BETTER: Final = "better"
WORSE: Final = "worse"
UNSHOWN: Final = "no difference shown"
TOO_FEW: Final = "too few to tell"

COARSE: Final = 0.1  # a comparison that would miss a tenth of the whole scale tells little

TABLE: Final = pl.Schema(
    {
        "scorer": pl.String(),
        "n": pl.Int64(),
        "clusters": pl.Int64(),
        "unscored_base": pl.Int64(),
        "unscored_candidate": pl.Int64(),
        "base": pl.Float64(),
        "candidate": pl.Float64(),
        "difference": pl.Float64(),
        "low": pl.Float64(),
        "high": pl.Float64(),
        "interval": pl.String(),
        "se": pl.Float64(),
        "se_low": pl.Float64(),
        "se_high": pl.Float64(),
        "wins": pl.Int64(),
        "ties": pl.Int64(),
        "losses": pl.Int64(),
        "test": pl.String(),
        "p": pl.Float64(),
        "p_holm": pl.Float64(),
        "p_bh": pl.Float64(),
        "effect": pl.Float64(),
        "effect_name": pl.String(),
        "mde": pl.Float64(),
        "verdict": pl.String(),
    }
)
SLICES: Final = pl.Schema({"column": pl.String(), "value": pl.String(), **TABLE})

Rows = Sequence[Mapping[str, Any]]


def tables(families: Sequence[Rows], schema: pl.Schema, confidence: float) -> list[pl.DataFrame]:
    """A table for each list of rows; p values are adjusted over all of them together."""
    found = [p for rows in families for p in (row.get("p") for row in rows)]
    adjusted = list(zip(holm(found), benjamini_hochberg(found), strict=True))
    done, at = [], 0
    for rows in families:
        part, at = adjusted[at : at + len(rows)], at + len(rows)
        frame = pl.DataFrame(
            [
                {**row, "p_holm": by_holm, "p_bh": by_bh}
                for row, (by_holm, by_bh) in zip(rows, part, strict=True)
            ],
            schema=schema,
        )
        counts = pl.col("wins", "ties", "losses").fill_null(0)
        done.append(frame.with_columns(counts, verdict=verdict(confidence)))
    return done


def verdict(confidence: float) -> pl.Expr:
    """One of four words on a row.

    `better` or `worse`: the p value that is adjusted after Holm is at most 1 - confidence, and the
    interval lies on that side of 0. `too few to tell`: the pairs, or clusters, are so few that no
    outcome could be shown (2 / 2^n is above 1 - confidence, which is so for five at 0.95), or
    nothing was shown and a difference of 0.1 would have been missed more often than in 1 of 5
    cases. Else `no difference shown`.
    """
    alpha = round(1 - confidence, 12)
    units = pl.coalesce("clusters", "n").cast(pl.Float64)
    shown = pl.col("p_holm") <= alpha
    return (
        pl.when((pl.lit(2.0).pow(1 - units) > alpha) | pl.col("p").is_null())
        .then(pl.lit(TOO_FEW))
        .when(shown & (pl.col("low") > 0))
        .then(pl.lit(BETTER))
        .when(shown & (pl.col("high") < 0))
        .then(pl.lit(WORSE))
        .when(pl.col("mde") > COARSE)
        .then(pl.lit(TOO_FEW))
        .otherwise(pl.lit(UNSHOWN))
    )
