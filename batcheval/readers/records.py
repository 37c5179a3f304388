"""Files of records as a LazyFrame that decodes what is asked of it and nothing else."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

import polars as pl
from polars.io.plugins import register_io_source

from batcheval.errors import NothingReadError, TornTraceError
from batcheval.readers.detect import Kind
from batcheval.readers.grouping import Gatherer
from batcheval.readers.layouts import layouts
from batcheval.readers.log import ReadLog
from batcheval.readers.native import NativeReader
from batcheval.readers.paths import Source
from batcheval.readers.processes import pool, workers_for
from batcheval.readers.recognition import format_named
from batcheval.readers.routing import routed
from batcheval.readers.sample import blocks_of
from batcheval.readers.tasks import Files, Pieces, Task, batches, tasks_of
from batcheval.readers.translation import Translated, Translator

Frames: TypeAlias = Callable[[Mapping[str, pl.DataType]], Iterator[pl.DataFrame]]


def scan_records(
    files: Sequence[tuple[Source, Kind, bool]], schema: Mapping[str, pl.DataType], log: ReadLog
) -> pl.LazyFrame:
    """JSON files of the native layout as a LazyFrame that decodes what is asked of it.

    Each comes with whether its records tell where they came from.
    """
    return scan_frames(lambda wanted: _native(files, wanted, log), schema)


def scan_translated(
    files: Files,
    schema: Mapping[str, pl.DataType],
    log: ReadLog,
    is_told: bool,
    is_apart: bool = False,
) -> pl.LazyFrame:
    """Files of other layouts as a LazyFrame; pieces of traces are brought together across them.

    Args:
        files: with the layout of most of their records.
        schema: of what is returned.
        log: where all is counted.
        is_told: whether somebody said that all records are of these layouts.
        is_apart: whether other files, or the rest of these, are read elsewhere.
    """
    return scan_frames(lambda wanted: _translated(files, wanted, log, is_told, is_apart), schema)


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
        for block in blocks_of(source.path, kind, log.pass_bytes, source.stretch):
            yield reader.frame(block)


def _translated(
    files: Files, wanted: Mapping[str, pl.DataType], log: ReadLog, is_told: bool, is_apart: bool
) -> Iterator[pl.DataFrame]:
    known = {layout.name: routed(layout, is_told) for _, _, layout in files}
    here = Translator(known, wanted)
    gathered = {name: Gatherer() for name in known}

    def joins() -> Iterator[Task]:
        """Once all records are read: the traces whose pieces lay apart."""
        for name, gatherer in gathered.items():
            for pieces in batches(name, gatherer.rest()):
                if is_apart:
                    raise TornTraceError(*pieces.wholes[0].place)
                yield pieces

    records = idle = 0
    workers = _workers(files)
    make = partial(_translator, [*known], wanted, is_told) if workers else lambda: here
    with pool(make, workers) as in_order:
        for tasks in (tasks_of(files, log.pass_bytes), joins()):
            for found in in_order(tasks):
                records, idle = records + found.log.records, idle + found.log.idle
                yield from _logged(found, log)
                for pieces in found.pieces:
                    for whole in pieces.wholes:
                        gathered[pieces.layout].put(whole)
                for name, source in found.ended:
                    if wholes := [*gathered[name].take(source)]:
                        yield from _logged(here(Pieces(name, wholes)), log)
    if is_told and not is_apart and 0 < records == idle:
        raise NothingReadError(
            [source.name for source, _, _ in files][:5], files[0][2].name, records
        )


def _logged(found: Translated, log: ReadLog) -> list[pl.DataFrame]:
    log.add(found.log, found.bad)
    return found.frames


def _workers(files: Files) -> int:
    """How many processes to read with: none where one would not find a layout by its name."""
    for name, layout in {layout.name: layout for _, _, layout in files}.items():
        if not (layouts().get(name) is layout or name.endswith(".toml") or ":" in name):
            return 0
    return workers_for(sum(_size(source) for source, _, _ in files))


def _size(source: Source) -> int:
    begin, end, _ = source.stretch
    return end - begin if end else source.size


def _translator(names: list[str], wanted: Mapping[str, pl.DataType], is_told: bool) -> Translator:
    """A translator in another process, where layouts go by their names."""
    found = {name: format_named(name) for name in names}
    return Translator({n: routed(one, is_told) for n, one in found.items() if one}, wanted)
