"""What a file of any kind holds, as blocks of JSON records."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final

import msgspec
import polars as pl

from batcheval.readers.archives import members
from batcheval.readers.blocks import Block, is_utf8
from batcheval.readers.detect import Kind
from batcheval.readers.paths import Source
from batcheval.readers.repair import repair
from batcheval.readers.sample import blocks_of
from batcheval.readers.tables import IS_TABLE, rows_of

ENOUGH: Final = 32 << 20  # bytes of them
LOOKED_AT: Final = 50  # records by which a layout is told
NOTHING: Final = object()  # stands for a record that is no JSON
_any = msgspec.json.Decoder().decode
_cells = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_encode = msgspec.json.Encoder().encode
_OPENING: Final = (b'"{', b'"[')


def contents(
    source: Source,
    kind: Kind,
    on_bytes: Callable[[int], None] = lambda count: None,
    rows: int | None = None,
) -> Iterator[tuple[str, Block]]:
    """The records of a file in blocks, each with the name of where they are.

    The rows of a table are objects, all or so many of them, and so are the files in an archive.
    """
    if kind == "zip":
        for name, data in members(source.path):
            yield f"{source.name}!{name}", Block([data], [1], 0, None, is_utf8(data))
    elif kind in IS_TABLE:
        line = 1
        for frame in rows_of(source.name, source.path, kind, rows):
            records = _as_lines(frame)
            records = [*map(_with_json, records)] if source.has_json else records
            yield source.name, Block(records, range(line, line + len(records)), 0, None, True)
            line += len(records)
    else:
        for block in blocks_of(source.path, kind, on_bytes, source.stretch):
            yield source.name, block


def _as_lines(frame: pl.DataFrame) -> list[bytes]:
    binary = pl.selectors.by_dtype(pl.Binary)
    return (
        frame.with_columns(binary.cast(pl.String, strict=False))
        .write_ndjson()
        .encode()
        .split(b"\n")[: frame.height]
    )


def _with_json(record: bytes) -> bytes:
    """A row in which texts that are JSON, an object or a list of them, are that JSON as written."""
    cells = _cells(record)
    for name, cell in cells.items():
        if bytes(cell)[:2] in _OPENING and (inner := _opened(cell)):
            cells[name] = msgspec.Raw(inner)
    return _encode(cells)


def _opened(cell: msgspec.Raw) -> bytes | None:
    text = _any(cell).strip()
    if text[:1] == "[" and text[1:].lstrip()[:1] not in ("{", "]"):
        return None
    try:
        _any(text)
    except (msgspec.DecodeError, RecursionError):
        return None
    return str(text).encode()


def first_records(source: Source, kind: Kind) -> list[Any]:
    """The first records that are JSON, at most 50."""
    blocks = contents(source, kind, rows=LOOKED_AT)
    found = (record for _, block in blocks for record in block.records)
    values = (value for value in map(decoded, _some(found)) if value is not NOTHING)
    return list(islice(values, LOOKED_AT))


def _some(records: Iterator[bytes]) -> Iterator[bytes]:
    """Records up to some megabytes, and one at least: those of archives may be large."""
    size = 0
    for record in records:
        yield record
        size += len(record)
        if size > ENOUGH:
            return


def decoded(record: bytes) -> Any:
    """The value of a record, repaired if need be; `NOTHING` if it is no JSON at all."""
    try:
        return _any(record)
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        return _any(repair(record))
    except (msgspec.DecodeError, RecursionError):
        return NOTHING
