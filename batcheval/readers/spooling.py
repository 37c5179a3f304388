"""Streams as files, since they are read more than once: to look, then to score."""

import atexit
import os
import select
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO, Final

from batcheval.errors import MissingFileError

_PIECE: Final = 1 << 20


def standard_input() -> BinaryIO:
    """Standard input, in bytes."""
    if sys.stdin is None:
        raise MissingFileError("-", "standard input is closed")
    return sys.stdin.buffer


def spooled(stream: BinaryIO, most: int | None = None) -> str:
    """A stream as a temporary file, there until the process ends.

    Raises:
        OSError: it has more bytes than `most`.
    """
    file = tempfile.NamedTemporaryFile(prefix="batcheval-", suffix=".spool", delete=False)  # noqa: SIM115
    atexit.register(Path(file.name).unlink, missing_ok=True)
    with file:
        while data := _next(stream):
            file.write(data)
            if most is not None and file.tell() > most:
                raise OSError(f"it unpacks to over {most:,} bytes")
    return file.name


def _next(stream: BinaryIO) -> bytes:
    """The next bytes, waited for in short turns: polars has Ctrl-C resume a read, not end it."""
    if sys.platform != "win32":
        try:
            while not select.select([stream], [], [], 0.2)[0]:
                pass
        except (OSError, ValueError):  # not a file of the system
            return stream.read(_PIECE)
        return os.read(stream.fileno(), _PIECE)
    return stream.read(_PIECE)
