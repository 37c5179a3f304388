"""What a read found: lines, blank ones, repairs, and the lines that could not be read."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

from batcheval.errors import BadLineError, TooManyBadLinesError

_COUNTS: Final = ("lines", "blank", "repaired", "rows", "records", "idle", "nameless", "unpaired")

OnBadLine: TypeAlias = Literal["quarantine", "fail"]


class BadLine(NamedTuple):
    """A line that is no JSON object: where it is, why, and its bytes."""

    source: str
    line: int
    offset: int
    reason: str
    raw: bytes


@dataclass
class ReadLog:
    """Counts of one read, kept while it streams: lines = rows + blank + quarantined.

    Attributes:
        on_bad_line: `"quarantine"` sets a bad line aside, `"fail"` stops at the first.
        max_bad_lines: stop when more lines than this are bad; a float is a share of all lines
            (0..1), held against the whole at the end.
        on_quarantine: gets every bad line.
        on_bytes: told how many more bytes of the files have been read, for a progress bar.
        lines, blank, repaired, quarantined, rows: the counts. A repaired line is kept with a
            stated loss. A row of a table counts as a line; in a JSON array, an element does.
        sources: the files read, as the caller spelled them.
        lost_columns: columns of tables of which some values could not be kept.
        passed_over: files of folders that hold no traces.
        record_bytes: how many bytes the JSON files have.
        table_rows, table_blank: those in tables, where all are counted beforehand.
        seen: the columns that the first records have.
        unseen: columns that somebody asked for and that no record has had so far.
        records: records of other layouts than the native one, of which the rows were made.
        idle: how many of these are no trace nor a part of one.
        nameless: traces without an id of their own, which are all that such records of a file say.
        said: by digest, the first file that says so without an id.
        copies: files that say what one before them said.
        unpaired: results of tools whose call is missing; they stand among the messages only.
        tools_named: the tools that somebody wants ignored or renamed.
        tools: up to 10,000 names in the calls, where some are named and calls were read.
        first_bad: the first line that was set aside.
        layouts: the layout of each file that is not of the native one.
    """

    on_bad_line: OnBadLine = "quarantine"
    max_bad_lines: int | float | None = None
    on_quarantine: Callable[[BadLine], None] | None = None
    on_bytes: Callable[[int], None] | None = None
    lines: int = 0
    blank: int = 0
    repaired: int = 0
    quarantined: int = 0
    rows: int = 0
    sources: list[str] = field(default_factory=list)
    lost_columns: set[str] = field(default_factory=set)
    passed_over: list[str] = field(default_factory=list)
    record_bytes: int = 0
    table_rows: int = 0
    table_blank: int = 0
    seen: set[str] = field(default_factory=set)
    unseen: set[str] = field(default_factory=set)
    records: int = 0
    idle: int = 0
    nameless: int = 0
    said: dict[bytes, str] = field(default_factory=dict)
    copies: list[str] = field(default_factory=list)
    unpaired: int = 0
    tools_named: set[str] = field(default_factory=set)
    tools: set[str] | None = None
    first_bad: BadLine | None = None
    layouts: dict[str, str] = field(default_factory=dict)

    def restart(self) -> None:
        """Count from the beginning, for a table that is read once more."""
        self.lines, self.rows = self.table_rows + self.table_blank, self.table_rows
        self.blank, self.repaired, self.quarantined = self.table_blank, 0, 0
        self.records, self.idle, self.unpaired = 0, 0, 0
        self.first_bad, self.tools, self.nameless = None, None, 0
        self.said.clear()
        self.copies.clear()

    def hear(self, digest: bytes, source: str) -> None:
        """Note what a file says that has no id to know it by, and whether another said it."""
        if self.said.setdefault(digest, source) != source:
            self.copies.append(source)

    def add(self, part: "ReadLog", bad: Iterable[BadLine]) -> None:
        """Add the counts of a part that was read with a log of its own, and its bad lines.

        Raises:
            BadLineError: bad lines are to end the read.
            TooManyBadLinesError: there are more than allowed.
        """
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(part, name))
        for digest, source in part.said.items():
            self.hear(digest, source)
        self.copies += part.copies
        self.unseen -= part.seen
        for line in bad:
            self.quarantine(line)

    def quarantine(self, bad: BadLine) -> None:
        """Set a line aside.

        Raises:
            BadLineError: bad lines are to end the read.
            TooManyBadLinesError: there are more than allowed.
        """
        place = f"{bad.source}:{bad.line}"
        if self.on_bad_line == "fail":
            raise BadLineError(place, bad.reason)
        self.quarantined += 1
        self.first_bad = self.first_bad or bad
        if self.on_quarantine is not None:
            self.on_quarantine(bad)
        self.bear(f"the last is {place}, {bad.reason}")

    def bear(self, where: str) -> None:
        """Hold the number of bad lines so far against its limit."""
        if isinstance(self.max_bad_lines, int) and self.quarantined > self.max_bad_lines:
            raise TooManyBadLinesError(self.quarantined, f"{self.max_bad_lines:,}", where)

    def close(self) -> None:
        """Hold the share of bad lines against its limit, once all is read."""
        limit = self.max_bad_lines
        if isinstance(limit, float) and self.quarantined > limit * self.lines:
            where = f"of {self.lines:,} lines"
            raise TooManyBadLinesError(self.quarantined, f"{limit * 100:.6g}%", where)

    def lose(self, column: str, count: int) -> None:
        """Count rows of a table that were kept without their value in `column`."""
        self.repaired += count
        self.lost_columns.add(column)

    def pass_bytes(self, count: int) -> None:
        """Report progress."""
        if self.on_bytes is not None:
            self.on_bytes(count)
