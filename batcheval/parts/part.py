"""What a part is: a stretch of a dump that is scored by itself."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import polars as pl

from batcheval.readers import ReadLog, Rules
from batcheval.readers.detect import Kind
from batcheval.readers.paths import WHOLE, Source


class PartFile(NamedTuple):
    """A file, or a stretch of one.

    Attributes:
        source: the file, with the stretch of it that is read.
        kind: what it is.
        layout: the name of its layout; None for the native one, and for tables.
        is_ours: whether its records tell where they came from.
        bytes: where that lies in the file: the first byte, and the one behind the last.
        digest: the hash of these bytes, once they have been looked at; of the tag of a file at an
            address.
    """

    source: Source
    kind: Kind
    layout: str | None
    is_ours: bool
    bytes: tuple[int, int]
    digest: str = ""

    @property
    def size(self) -> int:
        """How many bytes are read."""
        return self.bytes[1] - self.bytes[0]


class Part(NamedTuple):
    """Files, or stretches of files, that are scored together, in one process.

    Attributes:
        number: from 0, in the order of the rows.
        files: of one kind.
        is_apart: whether other parts have files of other layouts, too, or the rest of these: no
            trace may be unfinished at the end.
    """

    number: int
    files: tuple[PartFile, ...]
    is_apart: bool = False

    @property
    def size(self) -> int:
        """How many bytes are read."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True)
class Reading:
    """How all parts of a dump are read, so that each comes to the same columns.

    Attributes:
        records: the columns of files of records.
        columns: those of the whole.
        asked: columns that somebody asked for and that the first records lack.
        is_told: whether somebody said which layout the files have.
        run: the run that all traces belong to.
        rules: choices that layouts leave.
        where: a SQL condition on traces.
    """

    records: Mapping[str, pl.DataType]
    columns: Mapping[str, pl.DataType]
    asked: frozenset[str]
    is_told: bool
    run: str | None
    rules: Rules | None
    where: str | None


@dataclass(frozen=True)
class Parts:
    """A dump, cut into parts.

    Attributes:
        parts: in the order of the rows; the numbers of their first lines are not yet known.
        reading: how they are read.
        traces: all of them as one table, as `read_traces` gives it.
        log: what looking at the files has told.
    """

    parts: list[Part]
    reading: Reading
    traces: pl.LazyFrame
    log: ReadLog

    @property
    def size(self) -> int:
        """How many bytes are read."""
        return sum(part.size for part in self.parts)

    def brought_together(self) -> "Parts":
        """The same with all files of other layouts, whole, in one part: traces lie in several."""
        files: dict[str, PartFile] = {}
        for file in (file for part in self.parts if part.is_apart for file in part.files):
            source = file.source._replace(stretch=WHOLE)
            start = files.get(source.path, file).bytes[0]
            files[source.path] = file._replace(source=source, bytes=(start, file.bytes[1]))
        merged: list[Part] = []
        for part in self.parts:
            if not part.is_apart:
                merged.append(part._replace(number=len(merged)))
            elif files:
                merged.append(Part(len(merged), tuple(files.values())))
                files = {}
        return replace(self, parts=merged)
