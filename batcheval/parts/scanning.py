"""A part as a lazy table, with the columns of the whole."""

import polars as pl

from batcheval.parts.part import Part, PartFile, Reading
from batcheval.readers import ReadLog
from batcheval.readers.dumps import scan_group
from batcheval.readers.files import File
from batcheval.readers.recognition import MIXED, format_named
from batcheval.readers.sample import Sample
from batcheval.readers.tables import IS_TABLE, scan_table
from batcheval.schema import canonical
from batcheval.selection import where


def scan_part(part: Part, reading: Reading, log: ReadLog) -> pl.LazyFrame:
    """The traces of a part, canonical; `log` is made ready to count them."""
    log.sources += [file.source.name for file in part.files]
    log.unseen |= reading.asked
    files = [_opened_again(file, log) for file in part.files]
    traces = scan_group(files, reading.records, log, reading.is_told, part.is_apart)
    if traces.collect_schema() != pl.Schema(reading.columns):
        whole = pl.LazyFrame(schema=reading.columns)
        traces = pl.concat([whole, traces], how="diagonal_relaxed")
    log.restart()
    return canonical(chosen(traces, reading, log), log.lose)


def chosen(traces: pl.LazyFrame, reading: Reading, log: ReadLog) -> pl.LazyFrame:
    """The traces that are to be scored, by the rules."""
    if reading.rules is not None:
        traces = reading.rules.apply(traces, log)
    if reading.run is not None:
        traces = traces.with_columns(pl.lit(reading.run).alias("run"))
    return traces if reading.where is None else where(traces, reading.where)


def _opened_again(file: PartFile, log: ReadLog) -> File:
    """A file as `looked_at` gave it."""
    source, kind = file.source, file.kind
    if file.layout is not None:
        return File(source, kind, layout=format_named(file.layout) or MIXED)
    if kind in IS_TABLE:
        return File(
            source, kind, table=scan_table(source.name, source.path, kind, log, source.stretch)
        )
    return File(source, kind, sample=Sample({}, True, file.is_ours))
