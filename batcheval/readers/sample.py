"""The first records of a file: which keys they have, and of what types."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final, NamedTuple

import msgspec
import polars as pl

from batcheval.errors import UnknownLayoutError
from batcheval.readers import blocks, documents
from batcheval.readers.blocks import Block
from batcheval.readers.detect import Kind
from batcheval.readers.fields import TELLING
from batcheval.readers.opening import most_unpacked, opened
from batcheval.readers.paths import WHOLE, Stretch
from batcheval.readers.repair import attempts
from batcheval.readers.within import within
from batcheval.schema.columns import CANONICAL, STANDS_FOR
from batcheval.schema.shapes import is_usable

RECORDS: Final = 1_000
_record = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_LEAST, _MOST = -(2**63), 2**63


class Sample(NamedTuple):
    """What the first records of a file show.

    Attributes:
        columns: the keys that are no canonical columns, each with the type that all its values
            fit; None where all are null.
        is_whole: whether these are all the records there are.
        is_ours: whether each has all canonical columns, as in a canonical table that we wrote.
    """

    columns: dict[str, pl.DataType | None]
    is_whole: bool
    is_ours: bool


def blocks_of(
    path: str,
    kind: Kind,
    on_bytes: Callable[[int], None] = lambda count: None,
    stretch: Stretch = WHOLE,
) -> Iterator[Block]:
    """The records of a JSON file, in blocks; `on_bytes` is told how far the file is read."""
    with opened(path) as (stream, file):
        at, longest = stretch.start, most_unpacked(file)
        if stretch.end is not None:
            found = blocks.lines(within(file, stretch), None, stretch.start, stretch.line)
        elif kind == "lines":
            found = blocks.lines(stream, longest)
        else:
            found = documents.values(stream, kind == "array", longest)
        for block in found:
            yield block
            at, before = file.tell(), at
            on_bytes(at - before)


def sample(name: str, path: str, kind: Kind) -> Sample:
    """Look at the first 1,000 records of a JSON file.

    Raises:
        UnknownLayoutError: none has a key that a trace could have.
    """
    lines = (record for block in blocks_of(path, kind) for record in block.records)
    records = list(islice((r for r in map(_keys, lines) if r is not None), RECORDS))
    columns: dict[str, pl.DataType | None] = {}
    known = False
    for keys in records:
        known = known or not TELLING.isdisjoint(keys)
        for key in (key for key in keys if key not in CANONICAL and is_usable(key)):
            columns[key] = _joined(columns.get(key), _type_of(bytes(keys[key])))
    if any(records) and not known:
        raise UnknownLayoutError(
            name, dict.fromkeys(key for keys in records for key in keys), SHOWN
        )
    is_ours = bool(records) and all(keys.keys() >= CANONICAL.keys() for keys in records)
    return Sample(columns, len(records) < RECORDS, is_ours)


SHOWN: Final = ("trace_id", "input", "output", "tool_calls", "expected")


def _keys(line: bytes) -> dict[str, msgspec.Raw] | None:
    for attempt in attempts(line):
        try:
            return _record(attempt)
        except (msgspec.DecodeError, RecursionError):
            continue
    return None


def _type_of(raw: bytes) -> pl.DataType | None:
    if raw in (b"true", b"false"):
        return pl.Boolean()
    if raw == b"null":
        return None
    if raw[:1] in b'"{[':
        return pl.String()
    try:
        return pl.Int64() if _LEAST <= int(raw) < _MOST else pl.String()
    except ValueError:
        return pl.Float64()


def _joined(one: pl.DataType | None, other: pl.DataType | None) -> pl.DataType | None:
    """The type that both fit; None fits any."""
    if one is None or other is None or one == other:
        return other if one is None else one
    return pl.Float64() if {one, other} == {pl.Int64(), pl.Float64()} else pl.String()


def joined(samples: list[Sample]) -> dict[str, pl.DataType]:
    """The columns of several files, each with the type that fits all their values."""
    columns: dict[str, pl.DataType | None] = {}
    for found in samples:
        for key, dtype in found.columns.items():
            columns[key] = _joined(columns.get(key), dtype)
    return {
        key: CANONICAL[STANDS_FOR[key]] if key in STANDS_FOR else dtype or pl.String()
        for key, dtype in columns.items()
    }
