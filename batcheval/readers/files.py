"""A file looked at before it is read: what it is, and whose layout its records have."""

from typing import Final, NamedTuple

import polars as pl

from batcheval.errors import UnknownLayoutError, WrongFormatError
from batcheval.readers.contents import first_records
from batcheval.readers.detect import Kind, kind_of
from batcheval.readers.layouts.layout import Layout
from batcheval.readers.log import ReadLog
from batcheval.readers.opening import raw
from batcheval.readers.paths import Source
from batcheval.readers.recognition import MIXED, format_named, recognise
from batcheval.readers.routing import is_alien
from batcheval.readers.sample import SHOWN, Sample, sample
from batcheval.readers.spooling import spooled
from batcheval.readers.tables import IS_TABLE, holds_scores, is_canonical, scan_table
from batcheval.stores import is_address, looking


class File(NamedTuple):
    """A file, looked at: a table, a sample of native records, or the layout of other ones."""

    source: Source
    kind: Kind
    table: pl.LazyFrame | None = None
    sample: Sample | None = None
    layout: Layout | None = None


def looked_at(source: Source, format: str | None, log: ReadLog) -> File | None:
    """What a file holds; None for one of a folder's that holds no traces, which the log tells."""
    with looking():
        return _looked_at(source, format, log)


def _looked_at(source: Source, format: str | None, log: ReadLog) -> File | None:
    kind = kind_of(source.path)
    if is_address(source.path) and kind in _NOT_BY_RANGES:
        with raw(source.path) as file:
            source = source._replace(path=spooled(file))
    try:
        source, layout = _recognised(source, kind, format)
        if layout:
            log.layouts[source.name] = layout.name
            own = sample(source.name, source.path, kind) if layout is MIXED else None
            return File(source, kind, sample=own, layout=layout)
        if kind == "zip":
            raise UnknownLayoutError(source.name, [], SHOWN)
        if kind in IS_TABLE:
            return File(source, kind, table=scan_table(source.name, source.path, kind, log))
        return File(source, kind, sample=sample(source.name, source.path, kind))
    except UnknownLayoutError:
        if source.is_named:
            raise
        log.passed_over.append(source.name)
        return None


def _recognised(source: Source, kind: Kind, format: str | None) -> tuple[Source, Layout | None]:
    """The layout of a file, None for the native one; and the file, to be read so."""
    if format is not None:
        layout = format_named(format)
        source = source._replace(has_json=layout is not None and layout.name not in _OF_TEXTS)
        return source, _checked(source, kind, format, layout)
    if kind == "parquet" and (is_canonical(source.path) or holds_scores(source.path)):
        return source, None
    found = _judged(source, kind)
    if kind in IS_TABLE:
        inside = _judged(source._replace(has_json=True), kind)
        if inside.layout and inside.layout.name not in _OF_TEXTS and inside.marks >= found.marks:
            return source._replace(has_json=True), inside.layout
    is_mixed = found.layout is MIXED and (kind in IS_TABLE or kind == "zip")
    return source, None if is_mixed else found.layout


class _Judged(NamedTuple):
    layout: Layout | None
    marks: int


def _judged(source: Source, kind: Kind) -> _Judged:
    records = first_records(source, kind)
    layout = recognise(source.name, records)
    return _Judged(layout, sum(map((layout or MIXED).marks, records)))


_NOT_BY_RANGES: Final = ("zip", "arrow_stream")  # read back and forth, or whole
# Whose cells are texts, whatever these look like.
_OF_TEXTS: Final = ("native", "flat_io")


def _checked(source: Source, kind: Kind, format: str, layout: Layout | None) -> Layout | None:
    """The layout that goes by a name.

    Raises:
        WrongFormatError: the first records have none of its marks, and it finds nothing in them.
    """
    if layout is None and kind in IS_TABLE:
        return layout
    records = first_records(source, kind)
    if records and is_alien(layout or MIXED, records):
        likely = recognise(source.name, records)
        raise WrongFormatError(source.name, format, likely.name if likely else None)
    return layout
