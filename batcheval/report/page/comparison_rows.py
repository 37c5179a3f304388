"""The rows of a comparison's tables, ready for the template."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from batcheval.comparing import BETTER, TOO_FEW, UNSHOWN, WORSE
from batcheval.report.comparison_cells import main_cells
from batcheval.report.page.axis import Scale, around_zero
from batcheval.report.page.views import ROWS, View, level_of
from batcheval.report.styles import counted

TONES: Final = {BETTER: "good", WORSE: "bad", TOO_FEW: "unsure", UNSHOWN: ""}


def scale_of(rows: Sequence[Mapping[str, Any]]) -> Scale:
    """The scale of a table's differences and intervals, 0 in the middle."""
    return around_zero(row[name] for row in rows for name in ("difference", "low", "high"))


def ends_of(scale: Scale) -> View:
    """The numbers at the ends of a scale."""
    return {"low": f"{scale.low:+.3g}", "high": f"{scale.high:+.3g}"}


def row_of(row: Mapping[str, Any], scale: Scale, level: float) -> View:
    """The cells of a row, and its drawing."""
    _, pairs, base, candidate, difference, ends, wins, ties, losses, p_holm, verdict = main_cells(
        row
    )
    said = f"difference {difference}"
    return {
        "pairs": pairs,
        "base": base,
        "candidate": candidate,
        "difference": difference,
        "ends": ends,
        "wins": wins,
        "ties": ties,
        "losses": losses,
        "p_holm": p_holm,
        "verdict": verdict,
        "tone": TONES[verdict],
        "at": scale.whiskers(row["difference"], row["low"], row["high"]),
        "label": said if ends == "-" else f"{said}, {level_of(level)} interval {ends}",
    }


def slices_of(slices: pl.DataFrame, level: float) -> list[View]:
    """The slices of each column."""
    parts = slices.partition_by("column", as_dict=True, maintain_order=True)
    return [_slice(str(column), table, level) for (column,), table in parts.items()]


def _slice(column: str, table: pl.DataFrame, level: float) -> View:
    kept, caption = table, "Each slice compared on its own; p values are adjusted over all slices"
    if table.height > ROWS:
        kept = table.sort("difference", maintain_order=True, nulls_last=True).head(ROWS)
        caption = f"The {ROWS:,} of {table.height:,} comparisons that fell most"
    rows = kept.to_dicts()
    scale = scale_of(rows)
    shown = [
        {
            "value": "(null)" if row["value"] is None else row["value"],
            "scorer": row["scorer"],
            **row_of(row, scale, level),
        }
        for row in rows
    ]
    verdicts = table["verdict"].to_list()
    counts = [f"{n:,} {word}" for word in (WORSE, BETTER) if (n := verdicts.count(word))]
    said = ", ".join([counted(table["value"].n_unique(), "slice"), *counts])
    return {
        "column": column,
        "caption": caption,
        "scale": ends_of(scale),
        "rows": shown,
        "said": said,
    }
