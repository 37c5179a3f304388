"""The writer: rows in order, and a whole file at the end or none."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Final

import polars as pl

from batcheval.errors import UnknownEndingError, WriteFailedError
from batcheval.output.groups import Groups
from batcheval.output.replacement import Replacement
from batcheval.output.sinks import SINKS, Sink
from batcheval.stores import Place, located

GROUP_ROWS: Final = 65_536


def writer_for(path: str | Place, schema: pl.Schema, *, group_rows: int = GROUP_ROWS) -> "Writer":
    """A writer of `path`, Parquet, JSON Lines or CSV by its ending.

    Args:
        path: or address; ends in `.parquet`, `.jsonl`, `.ndjson` or `.csv`; an existing file is
            replaced whole when the new one is done, and stays as it is if that never comes.
        schema: the columns of every frame to be written.
        group_rows: the rows of a Parquet row group, and about the most that are held in memory.

    Raises:
        UnknownEndingError: the ending is another.
        UnwritablePathError: no file can stand at `path`.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> scores = pl.DataFrame({"trace_id": ["a", "b"], "includes": [1.0, None]})
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "scores.jsonl")
        ...     with writer_for(path, scores.schema) as writer:
        ...         writer.write(scores)
        ...     print(path.read_text(), end="")
        {"trace_id":"a","includes":1.0}
        {"trace_id":"b","includes":null}
    """
    return Writer(located(path), schema, group_rows)


class Writer:
    """A file in the making, for use in a `with` statement.

    The same rows give the same bytes, however they are cut into frames. The file is put in its
    place by `finish`, or at the end of the block if nothing was raised there.
    """

    def __init__(self, path: Place, schema: pl.Schema, group_rows: int = GROUP_ROWS) -> None:
        if path.suffix.lower() not in SINKS:
            raise UnknownEndingError(path)
        self.path, self.schema, self.rows = path, schema, 0
        self._open, self._group_rows = False, group_rows
        self._replacement = Replacement(path)
        self._sink: Sink
        self._groups: Groups

    def __enter__(self) -> "Writer":
        """Make the file, under another name.

        Raises:
            UnwritablePathError: the folder takes no file.
        """
        file = self._replacement.open()
        try:
            with self._telling_failures():
                self._sink = SINKS[self.path.suffix.lower()](file, self.schema)
        except BaseException:
            self._replacement.discard()
            raise
        self._groups, self._open = Groups(self._group_rows, self._sink.write), True
        return self

    def write(self, frame: pl.DataFrame) -> None:
        """Add rows at the end.

        Raises:
            WriteFailedError: the disk is full or failing.
        """
        if not self._open:
            raise ValueError("the file is finished")
        with self._telling_failures():
            self._groups.add(frame)
        self.rows += frame.height

    def finish(self, metadata: Mapping[str, object] | None = None) -> None:
        """Write the last rows and put the file in its place; nothing can be written after that.

        Args:
            metadata: facts about the whole, known at its end; Parquet keeps them as JSON text under
                the key `batcheval`, the other formats have no place for them.

        Raises:
            WriteFailedError: the disk is full or failing.
        """
        text = json.dumps(metadata or {}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        with self._telling_failures():
            self._groups.flush()
            self._sink.close(text)
            self._replacement.commit()
        self._open = False

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Finish, unless that is done or something was raised: then leave no trace."""
        try:
            if self._open and kind is None:
                self.finish()
        finally:
            if self._open:
                self._sink.abandon()
                self._replacement.discard()

    @contextmanager
    def _telling_failures(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise WriteFailedError(self.path, error) from error
