"""JSON that is not one object a line: an array, one object over many lines, or several.

The bytes are split into records without being parsed: quotes, escapes and brackets are found by
numpy in each chunk, and a record is what lies between a bracket that opens at the ground level and
the one that closes it. So memory holds a chunk and the record that is not yet complete.
"""

from collections.abc import Iterator
from typing import Any, BinaryIO, Final

import msgspec
import numpy as np

from batcheval.readers.blocks import Block, bounded, is_utf8, pieces

_values = msgspec.json.Decoder(list[msgspec.Raw]).decode
_BLANK: Final = b" \t\r\n,"
_QUOTE, _BACKSLASH, _NEWLINE = 0x22, 0x5C, 0x0A


def values(stream: BinaryIO, in_array: bool, longest: int | None = None) -> Iterator[Block]:
    """The elements of a JSON array, or the objects that stand in a stream one after another.

    What stands between them and is neither white space nor a comma is a record too, a bad one; so
    is the bracket of an array that is never closed.

    Raises:
        OSError: a record is longer than `longest` bytes.
    """
    splitter = _Splitter(ground=1 if in_array else 0, longest=longest)
    for chunk in pieces(stream):
        if block := splitter.take(chunk):
            yield block
    if block := splitter.end():
        yield block


class _Splitter:
    """Keeps the state between chunks."""

    def __init__(self, ground: int, longest: int | None) -> None:
        self._ground, self._longest = ground, longest
        self._depth = 0
        self._quoted = False  # inside a string
        self._run = 0  # of backslashes at the end of the last chunk
        self._rest = bytearray()  # of no finished record
        self._at = 0  # where they start in the file
        self._line = 1  # on which line
        self._open: int | None = None  # where the unfinished record starts in the file
        self._arrays: list[tuple[int, int]] = []  # where arrays start in the file, on which line

    def take(self, chunk: bytes) -> Block | None:
        """The records that end in a chunk, or between whose brackets something stands."""
        base = self._at + len(self._rest)
        arrays, opens, closes = self._brackets(np.frombuffer(chunk, dtype=np.uint8))
        for place in map(int, arrays[: 2 - len(self._arrays)]) if self._ground else ():
            line = self._line + self._rest.count(b"\n") + chunk.count(b"\n", 0, place)
            self._arrays.append((base + place, line))
        starts = [base + int(place) for place in opens]
        ends = [base + int(place) + 1 for place in closes]
        if self._open is not None:
            starts.insert(0, self._open)
        self._open = starts[-1] if len(starts) > len(ends) else None
        self._rest += chunk
        block = self._cut(list(zip(starts, ends, strict=False)))
        bounded(len(self._rest), self._longest)
        return block

    def _brackets(self, data: Any) -> tuple[Any, Any, Any]:
        """Where arrays open at the ground level of a chunk, and where records open and close."""
        quotes = (data == _QUOTE) & ~self._escaped(data)
        parity = np.cumsum(quotes) + self._quoted
        self._quoted = bool(parity[-1] & 1)
        bare = (parity & 1) == 0
        step = np.zeros(len(data), dtype=np.int64)
        step[((data == 0x7B) | (data == 0x5B)) & bare] = 1
        step[((data == 0x7D) | (data == 0x5D)) & bare] = -1
        depth = np.cumsum(step) + self._depth
        self._depth = int(depth[-1])
        arrays, opens = (np.flatnonzero((step == 1) & (depth == self._ground + n)) for n in (0, 1))
        return arrays, opens, np.flatnonzero((step == -1) & (depth == self._ground))

    def _escaped(self, data: Any) -> Any:
        """Which bytes stand behind an odd run of backslashes."""
        slashes = data == _BACKSLASH
        place = np.arange(len(data))
        last_other = np.maximum.accumulate(np.where(slashes, -1 - self._run, place))
        run_up_to = np.where(slashes, place - last_other, 0)
        before = np.concatenate(([self._run], run_up_to[:-1]))
        self._run = int(run_up_to[-1])
        return (before & 1) == 1

    def _cut(self, spans: list[tuple[int, int]]) -> Block | None:
        """Take finished records, and what stands before each, off the rest."""
        found: list[tuple[int, bytes]] = []
        done = self._at
        for start, end in spans:
            found += self._between(done, start)
            found.append((start, self._slice(start, end)))
            done = end
        if self._open is not None and spans:
            found += self._between(done, self._open)
            done = self._open
        return self._block(found, done)

    def _between(self, start: int, end: int) -> list[tuple[int, bytes]]:
        gap = self._slice(start, end)
        junk = gap.strip(_BLANK + b"\xef\xbb\xbf[" * (start == 0) + b"]" * self._ground)
        if not junk:
            return []
        try:  # values that are no objects, each a record
            values = list(map(bytes, _values(b"[" + junk + b"]")))
        except (msgspec.DecodeError, RecursionError):
            values = [junk]
        found, at = [], 0
        for value in values:
            at = gap.index(value, at)
            found.append((start + at, value))
            at += len(value)
        return found

    def _slice(self, start: int, end: int) -> bytes:
        return bytes(self._rest[start - self._at : end - self._at])

    def _block(self, found: list[tuple[int, bytes]], done: int) -> Block | None:
        passed = self._slice(self._at, done)
        newlines = np.flatnonzero(np.frombuffer(passed, dtype=np.uint8) == _NEWLINE) + self._at
        starts = [start for start, _ in found]
        numbers = (np.searchsorted(newlines, starts) + self._line).tolist() if starts else []
        at, self._at = self._at, done
        del self._rest[: done - at]
        self._line += len(newlines)
        if not found:
            return None
        return Block([r for _, r in found], numbers, at, starts, is_utf8(passed))

    def end(self) -> Block | None:
        """What is left when the bytes end: a torn record, the start of a torn array, or nothing."""
        last = self._at + len(self._rest)
        if self._open is not None:
            torn = self._slice(self._open, last)
            return self._block([*self._between(self._at, self._open), (self._open, torn)], last)
        block = self._block(self._between(self._at, last), last)
        if block is None and self._depth > 0 and len(self._arrays) == 1:  # others are told above
            [(start, line)] = self._arrays
            return Block([b"["], [line], start, [start], True)
        return block
