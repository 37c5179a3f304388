"""The tables of a comparison, cell by cell, the same in every format."""

from collections.abc import Mapping
from typing import Any, Final

import polars as pl

from batcheval.comparing import Comparison
from batcheval.comparing.worst import named
from batcheval.report.said import interval, signed
from batcheval.report.styles import decimal

_MAIN: Final = ("pairs", "base", "candidate", "difference")
_COUNTS: Final = ("wins", "ties", "losses", "p (Holm)", "verdict")
TEST_HEADS: Final = (
    "scorer",
    "test",
    "p",
    "p (Holm)",
    "p (BH)",
    "interval",
    "effect",
    "detectable",
)


def heads_of(comparison: Comparison) -> list[str]:
    """The heads of the main table."""
    level = f"{100 * comparison.settings.confidence:.4g}%"
    return ["scorer", *_MAIN, f"{level} interval", *_COUNTS]


def parts_of(slices: pl.DataFrame) -> list[tuple[str, pl.DataFrame]]:
    """The slices, each after its name."""
    parts = slices.partition_by("column", "value", as_dict=True, maintain_order=True)
    return [(named([(column, value)]), part) for (column, value), part in parts.items()]


def main_cells(row: Mapping[str, Any]) -> list[str]:
    """A row of the main table."""
    return [
        row["scorer"],
        f"{row['n']:,}",
        decimal(row["base"]),
        decimal(row["candidate"]),
        signed(row["difference"]),
        interval(row),
        *(f"{row[name]:,}" for name in ("wins", "ties", "losses")),
        _likelihood(row["p_holm"]),
        row["verdict"],
    ]


def test_cells(row: Mapping[str, Any]) -> list[str]:
    """A row of the table of tests, under `TEST_HEADS`."""
    effect = f"{row['effect_name']} {decimal(row['effect'])}" if row["effect_name"] else "-"
    return [
        row["scorer"],
        row["test"] or "-",
        *(_likelihood(row[name]) for name in ("p", "p_holm", "p_bh")),
        row["interval"] or "-",
        effect,
        decimal(row["mde"]),
    ]


def _likelihood(p: float | None) -> str:
    """A p value; one that is not quite 0 or 1 does not look so."""
    if p is None:
        return "-"
    if p < 0.0005:
        return "<0.001"
    return ">0.999" if 0.9995 <= p < 1 else f"{p:.3f}"
