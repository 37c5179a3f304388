"""Any file as a stream of UTF-8 bytes, whatever it is packed in."""

import codecs
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from batcheval.errors import MissingFileError, UnreadableFileError
from batcheval.readers.archives import most_of

_PACKED: Final = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
_UTF16: Final = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


@contextmanager
def opened(path: str) -> Iterator[tuple[BinaryIO, io.FileIO]]:
    """Open a file that may be packed with gzip or zstd and may be UTF-16.

    What it is packed in is told by its first bytes, never by its name.

    Yields:
        The unpacked bytes, and the file itself (whose position tells how far the read is).

    Raises:
        MissingFileError: there is no such file, or it may not be read.
        UnreadableFileError: the packing is truncated or damaged.
    """
    try:
        raw = io.FileIO(path)
    except OSError as error:
        raise MissingFileError(path, (error.strerror or str(error)).lower()) from error
    with raw:
        try:
            yield _as_utf8(_unpacked(raw)), raw
        except OSError as error:
            raise UnreadableFileError(path, _reason(error)) from error


def _reason(error: OSError) -> str:
    text = str(error)
    if "runcated" in text:
        return "the compressed data end too early (the file is truncated)"
    return text.splitlines()[0].lower() if text else "it is damaged"


def magic(path: str, size: int = 16) -> bytes:
    """The first bytes of a file as it lies on disk."""
    with opened(path) as (_, raw):
        raw.seek(0)
        return raw.read(size) or b""


def most_unpacked(path: str) -> int | None:
    """The most bytes that one record of a packed file may unpack to; None for a plain file."""
    return None if _codec(magic(path)) is None else most_of(Path(path).stat().st_size)


def _codec(head: bytes) -> str | None:
    return next((name for mark, name in _PACKED.items() if head.startswith(mark)), None)


def _unpacked(raw: io.FileIO) -> BinaryIO:
    codec = _codec(raw.read(4) or b"")
    raw.seek(0)
    if codec is None:
        return raw
    import pyarrow as pa

    return io.BufferedReader(_Raw(pa.CompressedInputStream(pa.PythonFile(raw), codec)), 1 << 20)


class _Raw(io.RawIOBase):
    """A stream with `read(size)` as raw bytes for a buffer."""

    def __init__(self, stream: object) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._stream.read(len(buffer))  # type: ignore[attr-defined]
        buffer[: len(data)] = data
        return len(data)


class _Recoded(io.RawIOBase):
    """UTF-16 as UTF-8; what is no character comes out as bytes that are no UTF-8."""

    def __init__(self, stream: BinaryIO, encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)("surrogatepass")
        self._rest = b""
        self._ended = False

    def readable(self) -> bool:
        return True

    def _decoded(self, data: bytes) -> str:
        try:
            return self._decoder.decode(data, final=self._ended)
        except UnicodeDecodeError:  # half a character at the end
            return "\ud83d"

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._rest and not self._ended:
            data = self._stream.read(1 << 16)
            self._ended = not data
            self._rest = self._decoded(data).encode("utf-8", "surrogatepass")
        part, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)


def _as_utf8(stream: BinaryIO) -> BinaryIO:
    """Cut a byte order mark; decode UTF-16, which is known by its mark or by its zero bytes."""
    buffered = io.BufferedReader(stream, 1 << 20) if isinstance(stream, io.FileIO) else stream
    head = buffered.peek(4)[:4]  # type: ignore[attr-defined]
    encoding = _UTF16.get(head[:2])
    if encoding is None and len(head) == 4 and head[:1] + head[2:3] != head[1:2] * 2:
        encoding = "utf-16-le" if head[1:4:2] == b"\0\0" else None
        encoding = "utf-16-be" if head[0:4:2] == b"\0\0" else encoding
    if encoding is None:
        return buffered
    if head[:2] in _UTF16:
        buffered.read(2)
    return io.BufferedReader(_Recoded(buffered, encoding), 1 << 20)
