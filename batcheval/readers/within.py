"""A stretch of a file whose bytes are UTF-8 as they lie on disk."""

import io
from typing import BinaryIO

from batcheval.readers.opening import opened
from batcheval.readers.paths import Stretch


def is_plain(path: str) -> bool:
    """Whether a file's bytes are UTF-8 as they lie on disk, so that a stretch can be read alone.

    Raises:
        MissingFileError: there is no such file.
    """
    with opened(path) as (stream, file):
        return isinstance(stream, io.BufferedReader) and stream.raw is file


def within(file: BinaryIO, stretch: Stretch) -> BinaryIO:
    """The bytes of a stretch of a plain file."""
    return io.BufferedReader(_Within(file, stretch), 1 << 20)


class _Within(io.RawIOBase):
    def __init__(self, file: BinaryIO, stretch: Stretch) -> None:
        self._file, self._left = file, (stretch.end or 0) - stretch.start
        file.seek(stretch.start)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        count = self._file.readinto(buffer[: self._left]) or 0  # type: ignore[attr-defined]
        self._left -= count
        return count
