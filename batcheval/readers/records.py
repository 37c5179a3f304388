"""Files of records as a LazyFrame that decodes what is asked of it and nothing else."""

from collections.abc import Iterator, Mapping, Sequence

import polars as pl
from polars.io.plugins import register_io_source

from batcheval.readers.detect import Kind
from batcheval.readers.log import ReadLog
from batcheval.readers.native import NativeReader
from batcheval.readers.paths import Source
from batcheval.readers.sample import blocks_of


def scan_records(
    files: Sequence[tuple[Source, Kind]], schema: Mapping[str, pl.DataType], log: ReadLog
) -> pl.LazyFrame:
    """JSON files as a LazyFrame in which projection, filters and `head` reach the bytes."""

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
        for frame in _frames(files, wanted, log):
            part = frame if left is None else frame.head(left)
            left = None if left is None else left - part.height
            found = part if predicate is None else part.filter(predicate)
            yield pl.DataFrame({name: found[name] for name in asked})  # "*" is a name here
            if left == 0:
                return

    return register_io_source(frames, schema=dict(schema), is_pure=True)


def _frames(
    files: Sequence[tuple[Source, Kind]], wanted: Mapping[str, pl.DataType], log: ReadLog
) -> Iterator[pl.DataFrame]:
    for source, kind in files:
        reader = NativeReader(source.name, wanted, log)
        for block in blocks_of(source.path, kind, log.pass_bytes):
            yield reader.frame(block)
