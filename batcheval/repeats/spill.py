"""Records beyond memory: runs in a temporary file, each sorted into buckets by hash."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile, gettempdir
from typing import IO, Final

import numpy as np

from batcheval.errors import SpillFailedError
from batcheval.repeats.records import RECORD, Array

BUCKETS: Final = 256


class Spill:
    """A nameless temporary file of records; it is gone when closed, or with the process.

    Raises:
        SpillFailedError: the disk is full or failing; from every method.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or Path(gettempdir())
        self._edges: list[Array] = []  # of each run: where in the file each bucket starts and ends
        self._end = 0
        with self._telling_failures():
            self._file: IO[bytes] = TemporaryFile(dir=self._folder)  # noqa: SIM115

    def write(self, records: Array) -> None:
        """Add a run of records, later rows than those of the runs before."""
        bucket = (records["hash"] >> np.uint64(56)).astype(np.uint8)
        ordered = records[np.argsort(bucket, kind="stable")]
        ends = np.cumsum(np.bincount(bucket, minlength=BUCKETS))
        self._edges.append(self._end + RECORD.itemsize * np.concatenate(([0], ends)))
        self._end = int(self._edges[-1][-1])
        with self._telling_failures():
            self._file.seek(0, 2)
            self._file.write(ordered.data)

    def buckets(self) -> Iterator[Array]:
        """All records in parts: those of one hash are in one part, in order of their rows."""
        for bucket in range(BUCKETS):
            spans = [(int(edges[bucket]), int(edges[bucket + 1])) for edges in self._edges]
            with self._telling_failures():
                part = b"".join(self._read(*span) for span in spans)
            yield np.frombuffer(part, RECORD)

    def close(self) -> None:
        """Remove the file."""
        self._file.close()

    def _read(self, start: int, end: int) -> bytes:
        self._file.seek(start)
        return self._file.read(end - start)

    @contextmanager
    def _telling_failures(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise SpillFailedError(self._folder, error) from error
