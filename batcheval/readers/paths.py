"""What the user named: files, folders, patterns, addresses or standard input, as files to read."""

import atexit
import sys
import tempfile
from collections.abc import Iterable, Iterator
from glob import glob, has_magic
from pathlib import Path
from typing import Final, NamedTuple

from batcheval.errors import MissingFileError, NoFilesError

# Which files of a folder could hold traces.
_ENDINGS: Final = (".jsonl", ".ndjson", ".json", ".parquet", ".arrow", ".feather", ".ipc", ".csv")
_PACKINGS: Final = ("", ".gz", ".zst")
_NOT_TRACES: Final = ".quarantine.jsonl"


class Source(NamedTuple):
    """A file to read.

    Attributes:
        name: as the user spelled it.
        path: where its bytes are.
        is_address: whether only polars can reach it.
    """

    name: str
    path: str
    is_address: bool = False


def sources_of(paths: Iterable[str | Path]) -> list[Source]:
    """The files that paths name, each once, in order; those of a folder or pattern by name.

    Raises:
        MissingFileError: a path that is not there.
        NoFilesError: a folder or pattern without files.
    """
    found = [source for path in paths for source in _expanded(str(path))]
    return list({source.path: source for source in found}.values())


def _expanded(path: str) -> Iterator[Source]:
    if path == "-":
        yield Source("-", _spooled())
    elif "://" in path:
        yield Source(path, path, is_address=True)
    elif Path(path).is_dir():
        yield from _all(path, (p for p in sorted(Path(path).rglob("*")) if _may_hold_traces(p)))
    elif Path(path).exists():
        yield Source(path, path)
    elif has_magic(path):
        found = sorted(glob(path, recursive=True))  # noqa: PTH207 - it may be absolute
        yield from _all(path, (p for p in map(Path, found) if p.is_file()))
    else:
        raise MissingFileError(path)


def _all(path: str, files: Iterator[Path]) -> list[Source]:
    found = [Source(str(file), str(file)) for file in files]
    if not found:
        raise NoFilesError(path)
    return found


def _may_hold_traces(path: Path) -> bool:
    name = path.name.lower()
    endings = tuple(ending + packing for ending in _ENDINGS for packing in _PACKINGS)
    hidden = name.startswith(".") or name.endswith(_NOT_TRACES)
    return path.is_file() and name.endswith(endings) and not hidden


def _spooled() -> str:
    """Standard input as a file, since it is read more than once: to look, then to score."""
    file = tempfile.NamedTemporaryFile(prefix="batcheval-", suffix=".stdin", delete=False)  # noqa: SIM115
    atexit.register(Path(file.name).unlink, missing_ok=True)
    with file:
        while data := sys.stdin.buffer.read(1 << 20):
            file.write(data)
    return file.name
