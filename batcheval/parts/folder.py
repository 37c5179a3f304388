"""The folder of a run: one at a time writes into it, and what is left half done vanishes."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from filelock import FileLock, Timeout

from batcheval.errors import (
    BusyFolderError,
    OtherScoresError,
    UnwritablePathError,
    WriteFailedError,
)
from batcheval.output import quarantine_path
from batcheval.output.replacement import Replacement
from batcheval.parts.job import Task
from batcheval.parts.record import Record, record_at
from batcheval.stores import is_address
from batcheval.summary import MANIFEST

LOCK: Final = ".batcheval.lock"
_PARTS: Final = "part-*.parquet"
_MARK: Final = ".batcheval-together-"  # parts of which are to be brought together
_LEFT: Final = ".batcheval-*.tmp"  # of runs that were killed


def is_folder(out: str | Path) -> bool:
    """Whether scores are to go into a folder: the name ends in a slash, or parts are there."""
    return str(out).endswith(("/", os.sep)) or (not is_address(out) and Path(out, LOCK).exists())


class Folder:
    """A folder that is this run's until the end.

    Args:
        path: the folder.
        updates: whether scores of other traces or scorers may be in it.
    """

    def __init__(self, path: Path, updates: bool) -> None:
        self.path, self._updates, self._may_replace = path, updates, updates
        self._old: dict[str, Path] | None = None

    def is_marked(self, key: str) -> bool:
        """Whether a run of this key has found traces that lie in several of its parts."""
        self._may_replace |= (found := Path(self.path, _MARK + key).exists())
        return found

    def mark(self, key: str) -> None:
        """Note that: parts that are there make room for one that holds them together."""
        Path(self.path, _MARK + key).touch()
        self._may_replace = True

    def require_room(self, count: int) -> None:
        """See to it that so many parts take the place of all that are here.

        Raises:
            OtherScoresError: there are more.
        """
        last = max((path.name for path in self.path.glob(_PARTS)), default="")
        if not self._may_replace and last >= f"part-{count:05d}":
            raise OtherScoresError(self.path, "more traces")

    def record_of(self, task: Task) -> Record | None:
        """What the part that a task would make tells, if it is there and whole.

        Raises:
            OtherScoresError: another stands in its place.
        """
        path = self.path / task.name
        if (record := record_at(path)) is not None:
            return record
        number = task.name.rpartition("-")[0]
        if not self._may_replace and any(self.path.glob(f"{number}-*.parquet")):
            raise OtherScoresError(self.path, "other traces, of another suite, or both")
        return self._moved(task, path) if self._updates else None

    def _moved(self, task: Task, path: Path) -> Record | None:
        """The same part under another number, which has come to be this one."""
        old = self.old(task)
        if old is None or old.name.rpartition("-")[2] != task.name.rpartition("-")[2]:
            return None
        with suppress(OSError):
            for one, other in ((quarantine_path(old), quarantine_path(path)), (old, path)):
                if one.exists():
                    os.link(one, other)
        return record_at(path)

    def old(self, task: Task) -> Path | None:
        """The file of earlier scores of the same rows."""
        if not self._updates:
            return None
        if self._old is None:
            found = ((path, record_at(path)) for path in sorted(self.path.glob(_PARTS)))
            self._old = {r["part"]["rows_key"]: path for path, r in found if r is not None}
        return self._old.get(task.rows_key)

    def finish(self, names: list[str], manifest: Mapping[str, Any]) -> None:
        """Say that all is done, and remove what is no part of it.

        Raises:
            WriteFailedError: the disk is full or failing.
        """
        target = self.path / MANIFEST
        replacement = Replacement(target)
        try:
            with replacement.open() as file:
                file.write(msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
                replacement.commit()
        except OSError as error:
            replacement.discard()
            raise WriteFailedError(target, error) from error
        for path in self.path.glob(_PARTS):
            if path.name not in names:
                path.unlink(missing_ok=True)
                quarantine_path(path).unlink(missing_ok=True)


@contextmanager
def folder_at(path: Path, updates: bool) -> Iterator[Folder]:
    """The folder, made if need be, for this run alone.

    Raises:
        UnwritablePathError: it cannot be made or written.
        BusyFolderError: another run writes into it.
    """
    lock = FileLock(path / LOCK, timeout=0)
    try:
        path.mkdir(exist_ok=True)
        lock.acquire()
    except Timeout:
        raise BusyFolderError(path) from None
    except OSError as error:
        raise UnwritablePathError(path, (error.strerror or str(error)).lower()) from error
    try:
        _sweep(path)
        yield Folder(path, updates)
    finally:
        _sweep(path)
        lock.release()


def _sweep(path: Path) -> None:
    for left in path.glob(_LEFT):
        left.unlink(missing_ok=True)
