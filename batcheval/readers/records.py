"""Files of records as a LazyFrame that decodes what is asked of it and nothing else."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import polars as pl
from polars.io.plugins import register_io_source

from batcheval.readers.assembly import Assembler
from batcheval.readers.contents import contents
from batcheval.readers.detect import Kind
from batcheval.readers.layouts.layout import Layout
from batcheval.readers.log import ReadLog
from batcheval.readers.native import NativeReader
from batcheval.readers.paths import Source
from batcheval.readers.routing import routed
from batcheval.readers.sample import blocks_of
from batcheval.readers.translation import Made, Translator

_BATCH: Final = 2 << 20  # bytes of records whose traces become a frame


Frames: TypeAlias = Callable[[Mapping[str, pl.DataType]], Iterator[pl.DataFrame]]


def scan_records(
    files: Sequence[tuple[Source, Kind, bool]], schema: Mapping[str, pl.DataType], log: ReadLog
) -> pl.LazyFrame:
    """JSON files of the native layout as a LazyFrame that decodes what is asked of it.

    Each comes with whether its records tell where they came from.
    """
    return scan_frames(lambda wanted: _native(files, wanted, log), schema)


def scan_translated(
    files: Sequence[tuple[Source, Kind, Layout]],
    schema: Mapping[str, pl.DataType],
    log: ReadLog,
    is_told: bool,
) -> pl.LazyFrame:
    """Files of other layouts as a LazyFrame; pieces of traces are brought together across them.

    Args:
        files: with the layout of most of their records.
        schema: of what is returned.
        log: where all is counted.
        is_told: whether somebody said that all records are of these layouts.
    """
    layouts = {layout.name: routed(layout, is_told) for _, _, layout in files}
    routes = [(source, kind, layouts[layout.name]) for source, kind, layout in files]
    return scan_frames(lambda wanted: _translated(routes, wanted, log), schema)


def scan_frames(make: Frames, schema: Mapping[str, pl.DataType]) -> pl.LazyFrame:
    """A LazyFrame whose projection, filters and `head` reach what makes its frames."""

    def frames(
        with_columns: list[str] | None,
        predicate: pl.Expr | None,
        n_rows: int | None,
        batch_size: int | None,
    ) -> Iterator[pl.DataFrame]:
        asked = list(schema) if with_columns is None else with_columns
        roots = [] if predicate is None else predicate.meta.root_names()
        wanted = {name: schema[name] for name in dict.fromkeys((*asked, *roots))}
        left = n_rows
        for frame in make(wanted):
            part = frame if left is None else frame.head(left)
            left = None if left is None else left - part.height
            found = part if predicate is None else part.filter(predicate)
            yield pl.DataFrame({name: found[name] for name in asked})  # "*" is a name here
            if left == 0:
                return

    return register_io_source(frames, schema=dict(schema), is_pure=True)


def _native(
    files: Sequence[tuple[Source, Kind, bool]], wanted: Mapping[str, pl.DataType], log: ReadLog
) -> Iterator[pl.DataFrame]:
    for source, kind, has_places in files:
        reader = NativeReader(source.name, wanted, log, has_places)
        for block in blocks_of(source.path, kind, log.pass_bytes):
            yield reader.frame(block)


def _translated(
    files: Sequence[tuple[Source, Kind, Layout]],
    wanted: Mapping[str, pl.DataType],
    log: ReadLog,
) -> Iterator[pl.DataFrame]:
    assembler = Assembler(wanted, log)
    translators = {layout.name: Translator(layout, assembler, log) for _, _, layout in files}
    for batch in _batches(_traces(files, translators, log)):
        yield assembler.frame([made.row for made in batch], [made.place for made in batch])


def _traces(
    files: Sequence[tuple[Source, Kind, Layout]],
    translators: Mapping[str, Translator],
    log: ReadLog,
) -> Iterator[Made]:
    for source, kind, layout in files:
        translator, name = translators[layout.name], source.name
        for name, block in contents(source, kind, log.pass_bytes):
            yield from translator.take(block, name)
        yield from translator.end_of(name)
    for translator in translators.values():
        yield from translator.end()


def _batches(made: Iterator[Made]) -> Iterator[list[Made]]:
    batch: list[Made] = []
    size = 0
    for one in made:
        batch.append(one)
        size += one.size
        if size > _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
