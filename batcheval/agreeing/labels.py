"""The label of each row: kept among the scores, or read from the traces again."""

from typing import Final, NamedTuple

import msgspec
import polars as pl

from batcheval.comparing.evidence import holds
from batcheval.comparing.keys import as_text
from batcheval.comparing.runs import Run
from batcheval.comparing.sources import looked_up, sources_of
from batcheval.errors import BadLabelsError, NoLabelsError, quoted
from batcheval.schema import Frame, canonical, with_paths
from batcheval.schema.paths import steps

_ID: Final = "trace_id"
_LABEL: Final = "\0label"
_KNOWN: Final = "\0known"


class Labels(NamedTuple):
    """The labels of a run.

    Attributes:
        values: one a row of the run, as found; null for none.
        home: where they come from, in words.
        unmatched: how many rows have no trace among those that were read for their labels.
    """

    values: pl.Series
    home: str
    unmatched: int


def labels_of(run: Run, path: str, traces: Frame | None) -> Labels:
    """The labels of the rows of a run.

    Args:
        run: whose rows are to be held against labels.
        path: a column, or a path such as `labels.correct`.
        traces: where to read the labels, joined by `trace_id`; without, the scores if they have
            them, else the traces that they were made of.

    Raises:
        UnkeptColumnError: the scores lack the label, and do not say where their traces are.
        LostTracesError: these are gone.
        MissingColumnsError: the traces have no such column.
        BadLabelsError: a trace has several.
        NoLabelsError: no row has one.
    """
    if traces is not None:
        found = _matched(run, path, canonical(traces))
    else:
        home = "the scores" if holds(run.scores, path) else quoted(sources_of(run))
        rows = with_paths(looked_up(run, {path: "label"}).scores, {path: "label"})
        found = Labels(rows.select(path).collect(engine="streaming").to_series(), home, 0)
    if found.values.is_null().all():
        raise NoLabelsError(path, _why(found, run, path, traces))
    return found


def _matched(run: Run, path: str, traces: pl.LazyFrame) -> Labels:
    rows = with_paths(traces, {path: "label"})
    columns = *_keys(rows), pl.col(path).alias(_LABEL), pl.lit(True).alias(_KNOWN)
    known = rows.select(columns).unique().collect(engine="streaming")
    _require_one_each(known, path)
    asked = run.scores.select(_keys(run.scores)).collect(engine="streaming")
    found = asked.join(known, on=_ID, how="left", maintain_order="left")
    return Labels(found[_LABEL], "the traces", found[_KNOWN].null_count())


def _keys(rows: pl.LazyFrame) -> list[pl.Expr]:
    return [as_text(_ID, rows.collect_schema()[_ID], "label").alias(_ID)]


def _require_one_each(labels: pl.DataFrame, path: str) -> None:
    doubles = labels.filter(pl.col(_ID).is_duplicated())
    if doubles.height:
        ids = doubles[_ID].unique().sort()
        raise BadLabelsError.several(path, len(ids), f"'{ids[0]}'")


def _why(found: Labels, run: Run, path: str, traces: Frame | None) -> str:
    """Why there is no label: what else lies beside it, or that no trace was found."""
    if found.unmatched == len(found.values):
        return f"no trace of the scores is in {found.home}"
    column = str((steps(path) or [path])[0])
    if column == path:
        return f"it is null in {found.home}"
    rows = looked_up(run, {column: "label"}).scores if traces is None else canonical(traces)
    texts = rows.select(pl.col(column).cast(pl.String)).drop_nulls().head(1_000).collect()
    return f"in {found.home}, '{column}' has {quoted(_fields(texts.to_series()))}"


def _fields(texts: pl.Series) -> list[str]:
    decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
    fields: dict[str, None] = {}
    for text in texts.unique(maintain_order=True):
        try:
            fields |= dict.fromkeys(decode(text))
        except msgspec.DecodeError:
            continue
    return list(fields)[:20]
