"""The label of each row: kept among the scores, or read from the traces again."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import polars as pl

from batcheval.comparing.keys import as_text, lies_in
from batcheval.comparing.runs import Run
from batcheval.errors import BadLabelsError, LabelsGoneError, NoLabelsError, quoted
from batcheval.readers import read_traces
from batcheval.schema import Frame, canonical, root, with_paths

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
        traces: where to read the labels; without, the scores if they have them, else the files of
            traces that the scores name.

    Raises:
        LabelsGoneError: the scores lack the label, and their traces are not to be found.
        MissingColumnsError: the traces have no such column.
        BadLabelsError: a trace has several.
        NoLabelsError: no row has one.
    """
    if traces is None and lies_in(run, path):
        rows = with_paths(run.scores, {path: "label"})
        found = Labels(rows.select(path).collect(engine="streaming").to_series(), "the scores", 0)
        where = run.scores
    elif traces is None:
        files = _sources(run, path)
        where = read_traces(*files, columns=[path])
        found = _matched(run, path, where, ("trace_id", "source", "line"), quoted(files))
    else:
        where = canonical(traces)
        found = _matched(run, path, where, ("trace_id",), "the traces")
    if found.values.is_null().all():
        raise NoLabelsError(path, _why(found, path, where))
    return found


def _sources(run: Run, path: str) -> list[str]:
    """The files of traces that the scores name, all of them still there."""
    if not {"source", "line"} <= set(run.scores.collect_schema()):
        raise LabelsGoneError(path, "they do not name their traces")
    names = run.scores.select(
        pl.col("source").cast(pl.String).drop_nulls().unique(maintain_order=True)
    )
    files: list[str] = names.collect().to_series().to_list()
    if not files:
        raise LabelsGoneError(path, "they do not name their traces")
    gone = [file for file in files if "://" not in file and not Path(file).is_file()]
    if gone:
        raise LabelsGoneError(path, f"their traces are gone: {quoted(gone[:5])}")
    return files


def _matched(run: Run, path: str, traces: pl.LazyFrame, key: tuple[str, ...], home: str) -> Labels:
    rows = with_paths(traces, {path: "label"})
    columns = *_keys(rows, key), pl.col(path).alias(_LABEL), pl.lit(True).alias(_KNOWN)
    known = rows.select(columns).unique().collect(engine="streaming")
    _require_one_each(known, key, path)
    asked = run.scores.select(_keys(run.scores, key)).collect(engine="streaming")
    found = asked.join(known, on=list(key), how="left", maintain_order="left", nulls_equal=True)
    return Labels(found[_LABEL], home, found[_KNOWN].null_count())


def _keys(rows: pl.LazyFrame, key: Iterable[str]) -> list[pl.Expr]:
    schema = rows.collect_schema()
    return [as_text(name, schema[name], "label").alias(name) for name in key]


def _require_one_each(labels: pl.DataFrame, key: tuple[str, ...], path: str) -> None:
    doubles = labels.filter(pl.struct(key).is_duplicated())
    if doubles.height:
        example = f"trace_id '{doubles.sort(key)['trace_id'][0]}'"
        raise BadLabelsError.several(path, doubles.select(key).n_unique(), example)


def _why(found: Labels, path: str, where: pl.LazyFrame) -> str:
    """Why there is no label: what else lies beside it, or that no trace was found."""
    if found.unmatched == len(found.values):
        return f"no trace of the scores is in {found.home}"
    column = root(path, where.collect_schema())
    if column == path:
        return f"it is null in {found.home}"
    texts = where.select(pl.col(column).cast(pl.String)).drop_nulls().head(1_000).collect()
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
