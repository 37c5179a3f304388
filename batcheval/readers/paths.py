"""What the user named: files, folders, patterns, addresses or standard input, as files to read."""

import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from glob import glob, has_magic
from pathlib import Path
from typing import Final, NamedTuple

from batcheval.errors import BadArgumentError, MissingFileError, NoFilesError
from batcheval.readers.spooling import spooled, standard_input
from batcheval.stores import (
    Address,
    RangesRefusedError,
    downloaded,
    files_in,
    files_like,
    is_pattern,
    located,
    size_at,
)

# Which files of a folder could hold traces.
_ENDINGS: Final = (
    *(".jsonl", ".ndjson", ".json", ".parquet", ".arrow", ".feather", ".ipc", ".csv"),
    *(".eval", ".traj"),  # Inspect's archives of JSON, SWE-agent's JSON
)
_PACKINGS: Final = ("", ".gz", ".zst")
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
        path: where its bytes are: of a file here, or its address.
        size: how many these are.
        is_named: whether the user named this very file, and not a folder or pattern.
        has_json: whether the texts in its cells, where it is a table, are read as JSON if they are.
        stretch: what of it is read.
        keys: of its folders that are called `key=value`.
    """

    name: str
    path: str
    size: int
    is_named: bool = True
    has_json: bool = False
    stretch: Stretch = WHOLE
    keys: tuple[tuple[str, str | int | date | None], ...] = ()


def sources_of(paths: Iterable[str | Path]) -> list[Source]:
    """The files that paths name, each once, in order; those of a folder or pattern by name.

    Raises:
        MissingFileError: a path that is not there.
        NoFilesError: a folder or pattern without files.
        StoreFailedError: a store does not answer; or what else its refusal means.
    """
    for path in paths:
        if not isinstance(path, str | os.PathLike):
            raise BadArgumentError("paths", "paths one by one, as in read_traces(*paths)", path)
    found = [source for path in paths for source in _expanded(str(path))]
    return list({source.path: source for source in found}.values())


def _expanded(path: str) -> Iterator[Source]:
    place = located(path)
    if path == "-":
        yield _here("-", spooled(standard_input()))
    elif isinstance(place, Address):
        yield from _at(place, path)
    elif place.is_dir():
        files = (p for p in sorted(place.rglob("*")) if not _is_hidden(p, path))
        yield from _all(path, (p for p in files if _may_hold_traces(p.name) and p.is_file()))
    elif place.is_file():
        yield _here(path, path)
    elif place.exists():  # a pipe, as `<(zcat dump.gz)` is one
        with place.open("rb") as pipe:
            yield _here(path, spooled(pipe))
    elif has_magic(path):
        found = sorted(glob(path, recursive=True))  # noqa: PTH207 - it may be absolute
        yield from _all(path, (p for p in map(Path, found) if p.is_file()))
    else:
        raise MissingFileError(path)


def _here(name: str, path: str) -> Source:
    return Source(name, path, Path(path).stat().st_size)


def _all(path: str, files: Iterable[Path]) -> list[Source]:
    return _some(path, [(str(file), file.stat().st_size) for file in files])


def _some(path: str, files: Sequence[tuple[object, int]]) -> list[Source]:
    if not files:
        raise NoFilesError(path)
    return [Source(str(file), str(file), size, is_named=False) for file, size in files]


def _at(address: Address, path: str) -> list[Source]:
    if is_pattern(address):
        return _some(path, files_like(address))
    try:
        size = size_at(address)
    except RangesRefusedError:
        return [_here(path, downloaded(address))]
    if size is not None:
        return [Source(path, path, size)]
    if found := files_in(address):
        return _some(path, [file for file in found if _may_hold_traces(file[0].name)])
    raise MissingFileError(path)


def _may_hold_traces(name: str) -> bool:
    endings = tuple(ending + packing for ending in _ENDINGS for packing in _PACKINGS)
    return name.lower().endswith(endings) and not name.lower().endswith(_NOT_TRACES)


def _is_hidden(path: Path, folder: str) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)
