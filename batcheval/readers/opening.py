"""Any file as a stream of UTF-8 bytes, whatever it is packed in."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Final, cast

from batcheval.errors import MissingFileError, UnreadableFileError
from batcheval.readers.archives import most_of
from batcheval.readers.encodings import as_utf8
from batcheval.stores import Address, RemoteFile, located

_PACKED: Final = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}


@contextmanager
def opened(path: str) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Open a file that may be packed with gzip or zstd and may be UTF-16.

    What it is packed in is told by its first bytes, never by its name.

    Args:
        path: of a file here, or its address.

    Yields:
        The unpacked bytes, and the file itself (whose position tells how far the read is).

    Raises:
        MissingFileError: there is no such file, or it may not be read.
        UnreadableFileError: the packing is truncated or damaged.
        StoreFailedError: the store does not answer; or what else `RemoteFile` raises.
    """
    with raw(path) as file:
        try:
            yield as_utf8(_unpacked(file)), file
        except OSError as error:
            raise UnreadableFileError(path, _reason(error)) from error


def raw(path: str, start: int = 0, stop: int | None = None) -> BinaryIO:
    """The bytes of a file or address as they are, from `start` up to `stop`, without a buffer.

    Raises:
        MissingFileError: there is no such file, or it may not be read.
        StoreFailedError: the store does not answer; or what else `RemoteFile` raises.

    Example:
        >>> with raw("sample_traces/support_agent.jsonl", 0, 12) as file:
        ...     file.read()
        b'{"trace_id":'
    """
    place = located(path)
    if isinstance(place, Address):
        return cast(BinaryIO, RemoteFile(place, start, stop))
    try:
        file = io.FileIO(path)
    except OSError as error:
        raise MissingFileError(path, (error.strerror or str(error)).lower()) from error
    file.seek(start)
    return cast(BinaryIO, file if stop is None else _Part(file, stop))


class _Part(io.RawIOBase):
    """An open file that ends at byte `stop`, as it seems."""

    def __init__(self, file: io.FileIO, stop: int) -> None:
        self._file, self._stop = file, stop

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._file.tell()

    def readinto(self, buffer: Any) -> int | None:
        left = max(0, self._stop - self._file.tell())
        return self._file.readinto(memoryview(buffer)[:left])

    def close(self) -> None:
        self._file.close()
        super().close()


def _reason(error: OSError) -> str:
    text = str(error)
    if "runcated" in text:
        return "the compressed data end too early (the file is truncated)"
    return text.splitlines()[0].lower() if text else "it is damaged"


def size_of(file: BinaryIO) -> int:
    """The bytes of an open file, which stays where it is."""
    at = file.tell()
    size = file.seek(0, io.SEEK_END)
    file.seek(at)
    return size


def most_unpacked(file: BinaryIO) -> int | None:
    """The most bytes that one record of a packed file may unpack to; None for a plain file."""
    at = file.tell()
    file.seek(0)
    codec = _codec(file.read(4))
    file.seek(at)
    return None if codec is None else most_of(size_of(file))


def _codec(head: bytes) -> str | None:
    return next((name for mark, name in _PACKED.items() if head.startswith(mark)), None)


def _unpacked(file: BinaryIO) -> BinaryIO:
    codec = _codec(file.read(4) or b"")
    file.seek(0)
    if codec is None:
        return file
    import pyarrow as pa

    return io.BufferedReader(_Raw(pa.CompressedInputStream(pa.PythonFile(file), codec)), 1 << 20)


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
