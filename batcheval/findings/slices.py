"""Slices of one run: the means of the traces of each value of a column."""

from collections.abc import Sequence
from typing import Any, Final

import polars as pl

from batcheval.comparing import Run
from batcheval.comparing.buckets import sliced
from batcheval.comparing.clusters import recoded
from batcheval.comparing.evidence import with_evidence
from batcheval.comparing.slices import MOST, without_small
from batcheval.comparing.units import Codes, as_floats
from batcheval.errors import BadArgumentError
from batcheval.findings.means import mean_of

SLICES: Final = pl.Schema(
    {
        "column": pl.String(),
        "value": pl.String(),
        "scorer": pl.String(),
        "scored": pl.Int64(),
        "unscored": pl.Int64(),
        "mean": pl.Float64(),
        "low": pl.Float64(),
        "high": pl.Float64(),
        "interval": pl.String(),
    }
)


def slices_of(
    run: Run, by: Sequence[str], codes: Codes | None, confidence: float, least: int = 0
) -> tuple[pl.DataFrame, dict[str, int]]:
    """A row a slice and scorer, by value; null is a slice of its own, the last.

    And by column how many slices of fewer than `least` rows were left out.

    What the slices of a column are, `sliced` tells.

    Args:
        run: whose rows they are.
        by: columns of the scores, or what can be told from them, as `with_evidence` has it.
        codes: the cluster of each row, or None.
        confidence: of the intervals.
        least: the rows that a slice must have.

    Raises:
        MissingColumnsError: the scores lack a column.
        BadArgumentError: a column has more than 1,000 values, or none that make slices.
    """
    rows: list[dict[str, Any]] = []
    for name in by:
        table = with_evidence(run.scores, {name: "by"})
        found = sliced(table.select(name).collect().to_series())
        parts = found.group_by("value").agg("row", pl.col("place").first())
        parts = parts.sort("place", "value", nulls_last=True)
        if parts.height > MOST:
            raise BadArgumentError("by", f"columns of at most {MOST:,} values", name)
        rows += _of_column(run, parts, codes, confidence, name)
    size = pl.col("scored") + pl.col("unscored")
    return without_small(pl.DataFrame(rows, schema=SLICES), size, least)


def _of_column(
    run: Run, parts: pl.DataFrame, codes: Codes | None, confidence: float, name: str
) -> list[dict[str, Any]]:
    scores = run.scores.select(pl.col(run.scorers).cast(pl.Float64)).collect()
    columns = {scorer: as_floats(scores[scorer]) for scorer in run.scorers}
    rows = []
    for value, places in zip(parts["value"], (p.to_numpy() for p in parts["row"]), strict=True):
        own = None if codes is None else recoded(codes[places])
        for scorer, column in columns.items():
            found = mean_of(column[places], own, confidence)
            rows.append({"column": name, "value": value, "scorer": scorer, **found})
    return rows
