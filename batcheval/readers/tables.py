"""Parquet, Arrow and CSV files as canonical tables."""

from collections.abc import Callable, Iterator
from typing import Final

import polars as pl

from batcheval.errors import (
    MissingFileError,
    ScoresAsTracesError,
    UnknownLayoutError,
    UnreadableFileError,
)
from batcheval.readers.archives import MOST_ON_DISK, most_of
from batcheval.readers.detect import Kind
from batcheval.readers.fields import TELLING
from batcheval.readers.headers import separator_of
from batcheval.readers.log import ReadLog
from batcheval.readers.opening import opened, size_of
from batcheval.readers.paths import WHOLE, Stretch
from batcheval.readers.spooling import spooled
from batcheval.schema import CANONICAL, METADATA_KEY, canonical
from batcheval.stores import options_of

SHOWN: Final = ("trace_id", "input", "output", "tool_calls", "expected")


def scan_table(
    name: str, path: str, kind: Kind, log: ReadLog, stretch: Stretch = WHOLE
) -> pl.LazyFrame:
    """A table file as a canonical LazyFrame.

    Args:
        name: the file as the user spelled it, for `source` and messages.
        path: where its bytes are.
        kind: what it is.
        log: told how many rows there are, and of values that cannot be kept.
        stretch: the rows that are read.

    Raises:
        UnreadableFileError: polars cannot read it; the message is polars' own.
        UnknownLayoutError: it has no column that a trace could have.
    """
    try:
        table = _SCANS[kind](path)
        if stretch.end is not None:
            table = table.slice(stretch.start, stretch.end - stretch.start)
        schema = table.collect_schema()
        says = pl.any_horizontal(pl.col(column).is_not_null() for column in schema)
        lines = rows = int(table.select(pl.len()).collect().item())
        if kind == "csv":  # polars takes a blank line for a row of nulls
            rows = int(table.select(says.sum()).collect().item())
    except FileNotFoundError as error:
        raise MissingFileError(name) from error
    except (pl.exceptions.PolarsError, OSError) as error:
        raise UnreadableFileError(name, _first_line(error)) from error
    if kind == "parquet" and holds_scores(path):
        raise ScoresAsTracesError(name)
    if TELLING.isdisjoint(schema):
        raise UnknownLayoutError(name, schema, SHOWN)
    log.table_rows, log.table_blank = log.table_rows + rows, log.table_blank + lines - rows
    placed = _placed(table, schema, name, stretch.start)
    return canonical(placed.filter(says) if rows < lines else placed, log.lose)


def rows_of(name: str, path: str, kind: Kind, most: int | None = None) -> Iterator[pl.DataFrame]:
    """The rows of a table file as they are, some at a time; the first of them where `most` says so.

    Raises:
        UnreadableFileError: polars cannot read it; the message is polars' own.
    """
    try:
        table = _SCANS[kind](path)
        table = table if most is None else table.head(most)
        yield from table.collect_batches(chunk_size=1_000, maintain_order=True)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise UnreadableFileError(name, _first_line(error)) from error


def is_canonical(path: str) -> bool:
    """Whether a Parquet file has all columns of the canonical table, as `convert` writes them."""
    try:
        names = _SCANS["parquet"](path).collect_schema()
    except (pl.exceptions.PolarsError, OSError):
        return False
    return set(CANONICAL) <= set(names)


def holds_scores(path: str) -> bool:
    """Whether a Parquet file holds scores that batcheval wrote."""
    try:
        metadata = pl.read_parquet_metadata(path, storage_options=options_of(path))
        return '"scorers"' in metadata.get(METADATA_KEY, "")
    except (pl.exceptions.PolarsError, OSError):
        return False


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _placed(table: pl.LazyFrame, schema: pl.Schema, name: str, before: int) -> pl.LazyFrame:
    """Give every row its place, unless the table is one of ours and tells where rows came from."""
    if set(CANONICAL) <= set(schema):
        return table
    own = [column for column in ("source", "line") if column in schema]
    numbered = table.drop(own).with_row_index("line", offset=1 + before)
    return numbered.with_columns(pl.col("line").cast(pl.Int64), pl.lit(name).alias("source"))


def _scan_csv(path: str) -> pl.LazyFrame:
    with opened(path) as (stream, file):
        head = stream.read(1 << 16)
        separator = separator_of(head) or ","
        file.seek(0)
        is_plain = head.startswith(file.read(16) or b"")
    if is_plain:
        return pl.scan_csv(
            path,
            separator=separator,
            infer_schema=False,
            glob=False,
            storage_options=options_of(path),
        )
    with opened(path) as (stream, file):  # packed, or UTF-16: polars is given the plain bytes
        plain = spooled(stream, most_of(size_of(file), MOST_ON_DISK))
        return pl.scan_csv(plain, separator=separator, infer_schema=False, glob=False)


def _scan_arrow_stream(path: str) -> pl.LazyFrame:
    return pl.read_ipc_stream(path).lazy()


_SCANS: Final[dict[Kind, Callable[[str], pl.LazyFrame]]] = {
    "parquet": lambda path: pl.scan_parquet(path, glob=False, storage_options=options_of(path)),
    "arrow": lambda path: pl.scan_ipc(path, glob=False, storage_options=options_of(path)),
    "arrow_stream": _scan_arrow_stream,
    "csv": _scan_csv,
}
IS_TABLE: Final = frozenset(_SCANS)
