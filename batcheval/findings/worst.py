"""The traces of a run that did worst."""

from typing import Final

import polars as pl

from batcheval.comparing import Run
from batcheval.findings.texts import TEXTS, Cases, with_texts
from batcheval.schema import IDENTITY

WORST: Final = 20  # traces that a page shows
_ROW: Final = "\0row"
_MEAN: Final = "\0mean"


def worst_of(run: Run, traces: pl.LazyFrame | None) -> Cases:
    """The traces with the lowest mean score, those with 1.0 everywhere left out.

    A row has the trace's identity, its scores, the reasons and texts kept with them, and all texts
    as `with_texts` gives them.
    """
    scores = [pl.col(name).cast(pl.Float64).fill_nan(None) for name in run.scorers]
    mean = pl.mean_horizontal(scores).alias(_MEAN)
    ranked = run.scores.with_columns(mean).with_row_index(_ROW).filter(pl.col(_MEAN) < 1)
    columns = ranked.collect_schema()
    reasons = [f"{name}_reason" for name in run.scorers if f"{name}_reason" in columns]
    taken = (*IDENTITY, *TEXTS)
    kept = [name for name in taken if name in columns and name not in run.scorers]
    rows = ranked.sort(_MEAN, _ROW).head(WORST).select(*kept, *run.scorers, *reasons)
    total = ranked.select(pl.len()).collect(engine="streaming").item()
    frame, notes = with_texts(rows.collect(engine="streaming"), run, traces)
    return Cases(frame, total, notes)
