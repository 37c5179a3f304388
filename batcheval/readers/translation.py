"""Records of any layout, translated into rows of the canonical table."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import polars as pl

from batcheval.readers.assembly import Assembler
from batcheval.readers.layouts.layout import Layout
from batcheval.readers.log import BadLine, ReadLog
from batcheval.readers.tasks import ENOUGH, Pieces, Task
from batcheval.readers.turn import Made, Turn


class Translated(NamedTuple):
    """What came of a task.

    Attributes:
        frames: the traces that were whole in it.
        pieces: what is left of traces that were not.
        ended: files that end in it and began before, each with its layout.
        log: the counts of this task.
        bad: the lines that were set aside.
    """

    frames: list[pl.DataFrame]
    pieces: list[Pieces]
    ended: list[tuple[str, str]]
    log: ReadLog
    bad: list[BadLine]


class Translator:
    """Turns tasks into frames of the wanted columns.

    Args:
        layouts: those of the records, by name.
        wanted: the columns to fill, each with its type.
    """

    def __init__(self, layouts: Mapping[str, Layout], wanted: Mapping[str, pl.DataType]) -> None:
        self._layouts, self._wanted = layouts, wanted

    def __call__(self, task: Task) -> Translated:
        """What comes of one task, by itself."""
        bad: list[BadLine] = []
        log = ReadLog(on_quarantine=bad.append)
        assembler = Assembler(self._wanted, log)
        turn = Turn(self._layouts, assembler, log)
        made = turn.joined(task) if isinstance(task, Pieces) else turn.taken(task)
        frames = [*_frames(made, assembler)]
        log.on_quarantine = None
        return Translated(frames, turn.left(), turn.ended, log, bad)


def _frames(made: Iterable[Made], assembler: Assembler) -> Iterator[pl.DataFrame]:
    batch: list[Made] = []
    size = 0
    for one in made:
        batch.append(one)
        size += one.size
        if size >= ENOUGH:
            yield assembler.frame([made.row for made in batch], [made.place for made in batch])
            batch, size = [], 0
    if batch:
        yield assembler.frame([made.row for made in batch], [made.place for made in batch])
