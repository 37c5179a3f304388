"""What is asked of every part, and what of one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from batcheval.parts.definitions import (
    code_of_batcheval,
    definition_of,
    key_of,
    layout_key,
)
from batcheval.parts.part import Part, Reading
from batcheval.readers import ReadLog
from batcheval.readers.log import OnBadLine
from batcheval.schema import root
from batcheval.scorer import Scorer


@dataclass(frozen=True)
class Job:
    """What is asked of every part; it can be sent to other processes.

    Attributes:
        folder: where the scores go.
        reading: how the parts are read.
        scorers: in the order of their columns.
        keep, details, reasons, long: as for `write_scores`.
        on_bad_line, max_bad_lines: as for `ReadLog`.
        keys: of each scorer, by its id: what it is, what it reads, and what of it is written.
    """

    folder: Path
    reading: Reading
    scorers: Sequence[Scorer]
    keep: Sequence[str]
    details: bool
    reasons: bool
    long: bool
    on_bad_line: OnBadLine
    max_bad_lines: int | float | None
    keys: Mapping[str, str]

    @property
    def log(self) -> ReadLog:
        """A log for one part; a share of lines is told at the end only."""
        most = self.max_bad_lines if isinstance(self.max_bad_lines, int) else None
        return ReadLog(self.on_bad_line, most)

    @property
    def key(self) -> str:
        """What is asked, whatever the parts are."""
        return key_of(self._read, list(self.keys.items()))

    @property
    def _read(self) -> list[object]:
        reading, keep = self.reading, list(self.keep)
        how = [reading.run, repr(reading.rules), reading.where, reading.is_told]
        return [code_of_batcheval(), *how, keep, _types(keep, reading), self.long]

    def rows_key(self, part: Part) -> str:
        """Which rows a part comes to, and what is kept of them, whatever scores them."""
        files = [
            [
                *(file.source.name, file.source.has_json, file.source.stretch),
                *(file.kind, layout_key(file.layout), file.is_ours, file.digest),
            ]
            for file in part.files
        ]
        return key_of(self._read, files)


class Task(NamedTuple):
    """One part to be scored.

    Attributes:
        part: measured.
        rows_key: as the job gives it.
        name: of the file of its scores.
        old: the file of earlier scores of the same rows, if there is one.
    """

    part: Part
    rows_key: str
    name: str
    old: Path | None = None

    @staticmethod
    def of(job: Job, part: Part) -> "Task":
        """The task of a part; the name tells its number and all that its bytes depend on."""
        rows = job.rows_key(part)
        key = key_of(rows, list(job.keys.items()))
        return Task(part, rows, f"part-{part.number:05d}-{key[:12]}.parquet")


def keys_of(
    scorers: Sequence[Scorer], reading: Reading, details: bool, reasons: bool
) -> dict[str, str]:
    """The key of each scorer, by its id."""
    return {
        scorer.id: key_of(
            definition_of(scorer), _types(sorted(scorer.columns), reading), details, reasons
        )
        for scorer in scorers
    }


def _types(names: Sequence[str], reading: Reading) -> dict[str, str]:
    """The columns behind names and paths, each with its type."""
    roots = {root(name, reading.columns) for name in names}
    return {name: str(reading.columns.get(name)) for name in sorted(roots)}


def sources_of(part: Part) -> list[dict[str, Any]]:
    """Where a part comes from, for its record."""
    return [
        {
            "name": file.source.name,
            "bytes": list(file.bytes),
            "line": file.source.stretch.line,
            "hash": file.digest,
        }
        for file in part.files
    ]
