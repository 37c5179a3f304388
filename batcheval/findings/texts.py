"""Texts of a few traces, fetched again from where their scores say that they are."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import polars as pl

from batcheval.comparing import Run, looked_up
from batcheval.errors import BatchevalError
from batcheval.schema import IDENTITY

TEXT: Final = "text:"  # before the name of a text, since a scorer may have it too
TEXTS: Final = ("input", "output", "expected", "error")


@dataclass(frozen=True)
class Cases:
    """A few telling traces, or pairs of them.

    Attributes:
        frame: a row each.
        total: how many there are of which these are the worst.
        notes: why texts are missing, a sentence each.
    """

    frame: pl.DataFrame
    total: int
    notes: list[str]


def with_texts(
    rows: pl.DataFrame, run: Run, traces: pl.LazyFrame | None = None
) -> tuple[pl.DataFrame, list[str]]:
    """The rows with `text:input`, and `output`, `expected`, `error` so, null if not to be had.

    Args:
        rows: a few of the run's; texts kept among them are taken.
        run: says how its traces are read again.
        traces: where the texts are looked up; without, in the files that the scores name.

    Returns:
        The rows, and why texts are missing.
    """
    kept = [name for name in TEXTS if name in rows.columns and name not in run.scorers]
    known = [pl.col(n) if n in kept else pl.lit(None) for n in TEXTS]
    at_hand = rows.with_columns(_texts(known))
    if not rows.height:
        return at_hand, []
    bare = rows.lazy().select(*(n for n in IDENTITY if n in rows.columns), *kept)
    try:
        found = looked_up(replace(run, scores=bare), dict.fromkeys(TEXTS, "a report"), traces)
    except BatchevalError as error:
        return at_hand, [f"texts are not shown: {error}"]
    return rows.hstack(found.scores.select(_texts(map(pl.col, TEXTS))).collect()), []


def _texts(columns: Iterable[pl.Expr]) -> list[pl.Expr]:
    both = zip(columns, TEXTS, strict=True)
    return [column.cast(pl.String).alias(TEXT + name) for column, name in both]
