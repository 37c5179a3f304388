"""Pieces of traces brought together by key, in memory while they fit and on disk beyond that."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from typing import IO, Final
from zlib import crc32

import msgspec

from batcheval.readers.layouts.layout import Place
from batcheval.readers.pieces import Whole, encoded

_MEMORY: Final = 256 << 20  # bytes of JSON that are held before they go to disk
_PARTS: Final = 64  # files on disk; each is read back whole

_decode = msgspec.json.Decoder().decode


class Gatherer:
    """Takes pieces in any order of keys and gives them back key by key.

    Args:
        memory: how many bytes of pieces to hold before they go to temporary files.

    Example:
        >>> gatherer = Gatherer()
        >>> for line, key in enumerate("abab", 1):
        ...     gatherer.put(Whole(key, Place("dump", line), [b"[%d]" % line]))
        >>> [(whole.key, whole.place.line, whole.held.values) for whole in gatherer.rest()]
        [('a', 1, [1, 3]), ('b', 2, [2, 4])]
    """

    def __init__(self, memory: int = _MEMORY) -> None:
        self._memory = memory
        self._held: dict[str, list[bytes]] = {}
        self._places: dict[str, Place] = {}
        self._size = 0
        self._files: list[IO[bytes]] = []
        self._stack = ExitStack()

    def put(self, pieces: Whole) -> None:
        """Take pieces of a key."""
        self._held.setdefault(pieces.key, []).extend(pieces.data)
        self._places.setdefault(pieces.key, pieces.place)
        self._size += pieces.cost
        if self._size > self._memory:
            self._spill()

    def take(self, key: str) -> Iterator[Whole]:
        """The pieces of one key that no more are expected of, unless some went to disk."""
        if not self._files and key in self._held:
            whole = Whole(key, self._places.pop(key), self._held.pop(key))
            self._size -= whole.cost
            yield whole

    def rest(self) -> Iterator[Whole]:
        """All that is left, in the order of the first pieces (on disk: within each file)."""
        if self._files:
            self._spill()
        for file in self._files:
            self._read_back(file)
            yield from self._drain()
        yield from self._drain()
        self._stack.close()

    def _drain(self) -> Iterator[Whole]:
        held, self._held = self._held, {}
        places, self._places = self._places, {}
        for key in held:
            yield Whole(key, places[key], held[key])

    def _spill(self) -> None:
        if not self._files:
            self._files = [
                self._stack.enter_context(tempfile.TemporaryFile(prefix="batcheval-"))  # noqa: SIM115
                for _ in range(_PARTS)
            ]
        for key, data in self._held.items():
            file = self._files[crc32(key.encode("utf-8", "surrogatepass")) % _PARTS]
            file.write(encoded([key, *self._places[key]]) + b"\n")
            file.write(b"[" + b",".join(data) + b"]\n")
        self._held, self._places, self._size = {}, {}, 0

    def _read_back(self, file: IO[bytes]) -> None:
        file.seek(0)
        for head in file:
            key, source, line = _decode(head)
            pieces = msgspec.json.decode(file.readline(), type=list[msgspec.Raw])
            self._held.setdefault(key, []).extend(map(bytes, pieces))
            self._places.setdefault(key, Place(source, line))
