"""Bytes in UTF-8, whichever encoding a text is in."""

import codecs
import io
from typing import BinaryIO, Final

_UTF16: Final = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


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


def as_utf8(stream: BinaryIO) -> BinaryIO:
    """Cut a byte order mark; decode UTF-16, which is known by its mark or by its zero bytes."""
    buffered = io.BufferedReader(stream, 1 << 20) if isinstance(stream, io.RawIOBase) else stream
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
