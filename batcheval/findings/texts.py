"""Texts of a few traces, fetched again from where their scores say that they are."""

from dataclasses import dataclass, replace
from typing import Final

import polars as pl

from batcheval.comparing import Run, looked_up
from batcheval.errors import BatchevalError
from batcheval.schema import IDENTITY

TEXT: Final = "text:"  # before the name of a text, since a scorer may have it too
_TEXTS: Final = ("input", "output", "expected", "error")


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
        rows: a few of the run's.
        run: says how its traces are read again.
        traces: where the texts are looked up; without, in the files that the scores name.

    Returns:
        The rows, and why texts are missing.
    """
    nothing = [pl.lit(None, pl.String).alias(TEXT + name) for name in _TEXTS]
    if not rows.height:
        return rows.with_columns(nothing), []
    bare = replace(run, scores=rows.lazy().select(n for n in IDENTITY if n in rows.columns))
    try:
        found = looked_up(bare, dict.fromkeys(_TEXTS, "a report"), traces).scores
    except BatchevalError as error:
        return rows.with_columns(nothing), [f"texts are not shown: {error}"]
    texts = [pl.col(name).cast(pl.String).alias(TEXT + name) for name in _TEXTS]
    return rows.hstack(found.select(texts).collect()), []
