"""Zip archives of JSON files, such as Inspect's `.eval`, read within bounds."""

import zipfile
import zlib
from collections.abc import Iterator
from typing import Final

from batcheval.errors import MissingFileError, UnreadableFileError

MOST: Final = 256 << 20  # bytes of one member, unpacked
MOST_ON_DISK: Final = 1 << 40
_RATIO: Final = 200  # of unpacked to packed, which no text reaches
_SMALL: Final = 16 << 20  # below this no ratio is suspicious


def members(path: str) -> Iterator[tuple[str, bytes]]:
    """The JSON files in an archive by name, each unpacked into memory; nothing touches the disk.

    Raises:
        MissingFileError: there is no such archive.
        UnreadableFileError: it is damaged, packed in an unknown way, or one of its files would
            unpack to more than 256 MiB or to far more than text packs to.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            for info in sorted(archive.infolist(), key=lambda info: info.filename):
                if info.filename.endswith(".json") and not info.is_dir():
                    yield info.filename, _unpacked(path, archive, info)
    except FileNotFoundError as error:
        raise MissingFileError(path) from error
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error) as error:
        raise UnreadableFileError(path, str(error).splitlines()[0].lower()) from error


def most_of(packed: int, most: int = MOST) -> int:
    """The bytes, at most `most`, that `packed` bytes may unpack to."""
    return min(most, max(_SMALL, _RATIO * packed))


def _unpacked(path: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    allowed = most_of(info.compress_size, MOST)
    with archive.open(info) as member:
        data = member.read(allowed + 1)  # what the archive says of sizes need not be true
    if len(data) > allowed:
        raise UnreadableFileError(
            path, f"{info.filename!r} in it unpacks to over {allowed:,} bytes"
        )
    return data
