"""Bytes as blocks of records: the lines of JSONL, or the values of a JSON document."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

CHUNK = 2 << 20  # bytes; larger ones cost page faults, smaller ones calls (measured)
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
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


def lines(stream: BinaryIO) -> Iterator[Block]:
    """The lines of a stream, blank ones among them, in blocks of about 2 MB."""
    number = 1
    for at, chunk in _whole_lines(stream):
        records = chunk.split(b"\n")
        if not records[-1]:
            records.pop()
        yield Block(records, range(number, number + len(records)), at, None, is_utf8(chunk))
        number += len(records)


def _whole_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Bytes up to a line's end, or the stream's, each with its place."""
    at, parts = 0, [b""]
    for data in chunks(stream):
        cut = data.rfind(b"\n") + 1
        if cut:
            chunk = b"".join((*parts, data[:cut]))
            skip = len(_BOM) if at == 0 and chunk.startswith(_BOM) else 0
            yield at + skip, chunk[skip:] if skip else chunk
            at, parts = at + len(chunk), []
        parts.append(data[cut:])
    if rest := b"".join(parts):
        skip = len(_BOM) if at == 0 and rest.startswith(_BOM) else 0
        yield at + skip, rest[skip:]


def chunks(stream: BinaryIO) -> Iterator[bytes]:
    """A stream's bytes, some at a time."""
    while data := stream.read(CHUNK):
        yield data


def is_utf8(data: bytes) -> bool:
    """Whether the bytes are valid UTF-8."""
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
