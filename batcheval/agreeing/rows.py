"""What the scores of one scorer come to beside the labels: a row of the table."""

from typing import Any

import numpy as np
import polars as pl

from batcheval.agreeing.counts import Flags, counted
from batcheval.agreeing.cuts import best_cut, cut_interval
from batcheval.agreeing.ranking import auroc, levels_of
from batcheval.agreeing.result import Settings
from batcheval.comparing.clusters import numbered, recoded
from batcheval.comparing.keys import as_text
from batcheval.comparing.runs import Run
from batcheval.comparing.sources import looked_up
from batcheval.comparing.units import Codes, as_floats
from batcheval.schema import with_paths


def row_of(
    scores: pl.Series, good: Flags, codes: Codes | None, settings: Settings
) -> dict[str, Any]:
    """What is told of one scorer.

    Args:
        scores: those of the labelled rows, null where unscored.
        good: whether each of these rows is labelled good.
        codes: the number of each row's cluster, or None if every row stands alone.
        settings: threshold, confidence, resamples and seed.
    """
    values = as_floats(scores)
    scored = np.isfinite(values)
    values, good = values[scored], good[scored]
    codes = None if codes is None else recoded(codes[scored])
    levels = levels_of(values, good)
    row: dict[str, Any] = {"n": values.size, "unscored": int((~scored).sum())}
    row |= {"clusters": None if codes is None else int(codes.max()) + 1}
    row |= counted(values >= settings.threshold, good, codes, settings.confidence)
    row |= auroc(levels, codes, settings.confidence)
    ends = cut_interval(levels, codes, settings.confidence, settings.resamples, settings.seed)
    return row | best_cut(levels) | ends


def clusters_of(
    run: Run, cluster: str | None, labelled: pl.Series
) -> tuple[str | None, Codes | None]:
    """The column that tells clusters, and of each labelled row the number of its own.

    Both are None if no column is named and every labelled row is of another task, or of none.

    Raises:
        UnkeptColumnError: the scores lack the column, and do not say where their traces are.
        BadArgumentError: it is a list or struct.
    """
    column = cluster or "task_id"
    if cluster is None and column not in run.scores.collect_schema():
        return None, None
    rows = with_paths(looked_up(run, {column: "cluster"}).scores, {column: "cluster"})
    value = as_text(column, rows.collect_schema()[column], "cluster")
    values = rows.select(value).collect(engine="streaming")
    found = numbered(values.filter(labelled), (column,))
    alone = found.number == found.codes.size and cluster is None
    return (None, None) if alone else (column, found.codes)
