"""What the user named: files, folders, patterns, addresses or standard input, as files to read."""

import atexit
import os
import select
import sys
import tempfile
from collections.abc import Iterable, Iterator
from glob import glob, has_magic
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from batcheval.errors import BadArgumentError, MissingFileError, NoFilesError

# Which files of a folder could hold traces.
_ENDINGS: Final = (
    *(".jsonl", ".ndjson", ".json", ".parquet", ".arrow", ".feather", ".ipc", ".csv"),
    *(".eval", ".traj"),  # Inspect's archives of JSON, SWE-agent's JSON
)
_PACKINGS: Final = ("", ".gz", ".zst")
_PIECE: Final = 1 << 20
_NOT_TRACES: Final = ".quarantine.jsonl"


class Stretch(NamedTuple):
    """What is read of a file: by default all of it.

    Attributes:
        start: the first byte of JSONL, at which a line starts, or the first row of a table.
        end: the byte or row behind the last; None for the end of the file.
        line: the number of the line that starts at the first byte.
    """

    start: int = 0
    end: int | None = None
    line: int = 1


WHOLE: Final = Stretch()


class Source(NamedTuple):
    """A file to read.

    Attributes:
        name: as the user spelled it.
        path: where its bytes are.
        is_address: whether only polars can reach it.
        is_named: whether the user named this very file, and not a folder or pattern.
        has_json: whether the texts in its cells, where it is a table, are read as JSON if they are.
        stretch: what of it is read.
    """

    name: str
    path: str
    is_address: bool = False
    is_named: bool = True
    has_json: bool = False
    stretch: Stretch = WHOLE


def sources_of(paths: Iterable[str | Path]) -> list[Source]:
    """The files that paths name, each once, in order; those of a folder or pattern by name.

    Raises:
        MissingFileError: a path that is not there.
        NoFilesError: a folder or pattern without files.
    """
    for path in paths:
        if not isinstance(path, str | os.PathLike):
            raise BadArgumentError("paths", "paths one by one, as in read_traces(*paths)", path)
    found = [source for path in paths for source in _expanded(str(path))]
    return list({source.path: source for source in found}.values())


def _expanded(path: str) -> Iterator[Source]:
    if path == "-":
        yield Source("-", spooled(_standard_input()))
    elif "://" in path:
        yield Source(path, path, is_address=True)
    elif Path(path).is_dir():
        files = (p for p in sorted(Path(path).rglob("*")) if not _is_hidden(p, path))
        yield from _all(path, filter(_may_hold_traces, files))
    elif Path(path).is_file():
        yield Source(path, path)
    elif Path(path).exists():  # a pipe, as `<(zcat dump.gz)` is one
        with Path(path).open("rb") as pipe:
            yield Source(path, spooled(pipe))
    elif has_magic(path):
        found = sorted(glob(path, recursive=True))  # noqa: PTH207 - it may be absolute
        yield from _all(path, (p for p in map(Path, found) if p.is_file()))
    else:
        raise MissingFileError(path)


def _all(path: str, files: Iterator[Path]) -> list[Source]:
    found = [Source(str(file), str(file), is_named=False) for file in files]
    if not found:
        raise NoFilesError(path)
    return found


def _may_hold_traces(path: Path) -> bool:
    name = path.name.lower()
    endings = tuple(ending + packing for ending in _ENDINGS for packing in _PACKINGS)
    return path.is_file() and name.endswith(endings) and not name.endswith(_NOT_TRACES)


def _is_hidden(path: Path, folder: str) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise MissingFileError("-", "standard input is closed")
    return sys.stdin.buffer


def spooled(stream: BinaryIO, most: int | None = None) -> str:
    """A stream as a file, since it is read more than once: to look, then to score.

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
