"""Bytes as blocks of records: the lines of JSONL, or the values of a JSON document."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

import polars as pl

# Read in pieces that stay in the allocator's heap (larger ones cost page faults), handed on in
# blocks of several (fewer calls, but more memory).
PIECE = 256 << 10
_BLOCK = 1 << 20
_BOM = b"\xef\xbb\xbf"


@dataclass(slots=True)
class Block:
    """Some records that follow one another.

    Attributes:
        records: the bytes of each, blank lines among them.
        numbers: the line on which each starts, from 1.
        at: the byte at which the first starts, in the unpacked file.
        starts: the byte at which each starts, where they do not follow line by line.
        is_utf8: whether all bytes are valid UTF-8.
    """

    records: list[bytes]
    numbers: Sequence[int]
    at: int
    starts: list[int] | None
    is_utf8: bool

    def start(self, place: int) -> int:
        """The byte at which record number `place` of the block starts."""
        if self.starts is not None:
            return self.starts[place]
        return self.at + sum(len(record) + 1 for record in self.records[:place])


def lines(
    stream: BinaryIO, longest: int | None = None, at: int = 0, number: int = 1
) -> Iterator[Block]:
    """The lines of a stream, blank ones among them, in blocks of about 1 MB.

    Args:
        stream: the bytes.
        longest: the most bytes that a line may have.
        at: where the stream starts in the file.
        number: the first line's.

    Raises:
        OSError: a line is longer than `longest` bytes.
    """
    records: list[bytes] = []
    size, valid = 0, True
    for found, length, is_valid in _pieces(stream, longest):
        if not at and not size and found[0].startswith(_BOM):
            found[0], at, length = found[0][3:], 3, length - 3
        records += found
        size, valid = size + length, valid and is_valid
        if size >= _BLOCK:
            yield Block(records, range(number, number + len(records)), at, None, valid)
            number, at = number + len(records), at + size
            records, size, valid = [], 0, True
    if records:
        yield Block(records, range(number, number + len(records)), at, None, valid)


def _pieces(stream: BinaryIO, longest: int | None) -> Iterator[tuple[list[bytes], int, bool]]:
    """Whole lines, how many bytes they are, and whether these are valid UTF-8."""
    begun: list[bytes] = []
    size = 0
    for data in pieces(stream):
        records = data.split(b"\n")
        if len(records) == 1:
            begun.append(data)
            size += len(data)
            bounded(size, longest)
            continue
        records[0] = b"".join((*begun, records[0]))
        begun = [records.pop()]
        size = len(begun[0])
        whole = len(records[0]) + sum(map(len, records[1:])) + len(records)
        ascii_only = data.isascii() and records[0].isascii()
        yield records, whole, ascii_only or all(map(is_utf8, (records[0], *_inner(data))))
    if last := b"".join(begun):
        yield [last], len(last), is_utf8(last)


def _inner(data: bytes) -> tuple[bytes, ...]:
    """What lies between the first and the last line end."""
    return (data[data.find(b"\n") : data.rfind(b"\n")],)


def pieces(stream: BinaryIO) -> Iterator[bytes]:
    """A stream's bytes, some at a time."""
    while data := stream.read(PIECE):
        yield data


def bounded(size: int, longest: int | None) -> None:
    """Raise an error once a record, of which `size` bytes are read, is longer than it may be.

    Raises:
        OSError: it is.
    """
    if longest is not None and size > longest:
        raise OSError(f"a line or record in it unpacks to over {longest:,} bytes")


def is_utf8(data: bytes) -> bool:
    """Whether the bytes are valid UTF-8."""
    if data.isascii():
        return True
    try:  # several times as fast as Python's own decoder
        pl.Series([data], dtype=pl.Binary).cast(pl.String)
    except pl.exceptions.PolarsError:
        return False
    return True
