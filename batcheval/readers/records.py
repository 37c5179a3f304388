"""Files of records as a LazyFrame that decodes what is asked of it and nothing else."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import polars as pl
from polars.io.plugins import register_io_source

from batcheval.readers.blocks import Block
from batcheval.readers.contents import contents
from batcheval.readers.detect import Kind
from batcheval.readers.layouts.layout import Layout
from batcheval.readers.log import ReadLog
from batcheval.readers.native import NativeReader
from batcheval.readers.paths import Source
from batcheval.readers.sample import blocks_of
from batcheval.readers.translation import Native, Translator

_BATCH: Final = 1 << 20  # bytes of native records that become a frame


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
) -> pl.LazyFrame:
    """Files of other layouts as a LazyFrame; pieces of traces are brought together across them."""
    return scan_frames(lambda wanted: _translated(files, wanted, log), schema)


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
    translators = {layout.name: Translator(layout, wanted, log) for _, _, layout in files}
    reader = NativeReader("", wanted, log)
    for batch in _batches(_traces(files, translators, log)):
        records, places = [made.line for made in batch], [made.place for made in batch]
        sources = [place.source for place in places]
        yield reader.frame(Block(records, [place.line for place in places], 0, None, True, sources))


def _traces(
    files: Sequence[tuple[Source, Kind, Layout]],
    translators: Mapping[str, Translator],
    log: ReadLog,
) -> Iterator[Native]:
    for source, kind, layout in files:
        translator, name = translators[layout.name], source.name
        for name, block in contents(source, kind, log.pass_bytes):
            yield from translator.take(block, name)
        yield from translator.end_of(name)
    for translator in translators.values():
        yield from translator.end()


def _batches(made: Iterator[Native]) -> Iterator[list[Native]]:
    batch: list[Native] = []
    size = 0
    for one in made:
        batch.append(one)
        size += len(one.line)
        if size > _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
