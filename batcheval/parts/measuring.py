"""Parts looked at just before they are scored: what their bytes are, and on which line they start.

So a file is read from the disk once: what is looked at here is still in memory when it is scored.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
from xxhash import xxh3_128

from batcheval.errors import MissingFileError
from batcheval.parts.part import Part, PartFile
from batcheval.stores import Address, located, version_of

_BUFFER: Final = 1 << 18
_LINE_END: Final = ord("\n")


def measured(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts in order, with the digests of their bytes and the numbers of their first lines.

    Raises:
        MissingFileError: a file has vanished.
    """
    lines: dict[str, int] = {}
    for part in parts:
        yield part._replace(files=tuple(_measured(file, lines) for file in part.files))


def _measured(file: PartFile, lines: dict[str, int]) -> PartFile:
    """Take the lines of a stretch as those behind the stretches before it."""
    place = located(file.source.path)
    if isinstance(place, Address):
        return file._replace(digest=xxh3_128(version_of(place).encode()).hexdigest())
    path, stretch = file.source.path, file.source.stretch
    digest, count = _digest(file, file.kind == "lines" and stretch.end is not None)
    line = lines.get(path, 1)
    lines[path] = line + count
    source = file.source._replace(stretch=stretch._replace(line=line))
    return file._replace(source=source, digest=digest)


def _digest(file: PartFile, counts: bool) -> tuple[str, int]:
    """The hash of a file's bytes, and if asked how many line ends are in them."""
    digest, lines, left = xxh3_128(), 0, file.size
    buffer = memoryview(bytearray(_BUFFER))
    values = np.frombuffer(buffer, np.uint8)
    try:
        with open(file.source.path, "rb", buffering=0) as stream:  # noqa: PTH123
            stream.seek(file.bytes[0])
            while left > 0 and (read := stream.readinto(buffer[: min(left, _BUFFER)])):
                digest.update(buffer[:read])
                # Nearly three times as fast as `bytes.count`.
                lines += int(np.count_nonzero(values[:read] == _LINE_END)) if counts else 0
                left -= read
    except OSError as error:
        raise MissingFileError(file.source.name, (error.strerror or str(error)).lower()) from error
    return digest.hexdigest(), lines
