"""The records of files cut into tasks, each of some megabytes."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from batcheval.readers.blocks import Block
from batcheval.readers.contents import contents
from batcheval.readers.detect import Kind
from batcheval.readers.layouts.layout import Layout
from batcheval.readers.paths import WHOLE, Source
from batcheval.readers.pieces import Whole

ENOUGH: Final = 2 << 20  # bytes of records, or of pieces, for one task
_MOST: Final = 8 << 20  # bytes, so that a file may stay whole

Files: TypeAlias = Sequence[tuple[Source, Kind, Layout]]


class Part(NamedTuple):
    """A block of a file's records, and whether it is the first and the last of them."""

    layout: str
    source: str
    block: Block
    is_first: bool
    is_last: bool


class Pieces(NamedTuple):
    """Traces of a layout whose pieces lay apart."""

    layout: str
    wholes: list[Whole]


Task: TypeAlias = list[Part] | Pieces


def tasks_of(files: Files, on_bytes: Callable[[int], None]) -> Iterator[list[Part]]:
    """The records of files in their order; a file whose traces are spread over it stays whole."""
    task: list[Part] = []
    size = 0
    for part, keeps_together in _parts(files, on_bytes):
        task.append(part)
        size += sum(map(len, part.block.records))
        if size >= (ENOUGH if part.is_last or not keeps_together else _MOST):
            yield task
            task, size = [], 0
    if task:
        yield task


def _parts(files: Files, on_bytes: Callable[[int], None]) -> Iterator[tuple[Part, bool]]:
    for source, kind, layout in files:
        last, is_cut = None, source.stretch != WHOLE  # then it may go on in another part
        is_first = True
        for name, block in contents(source, kind, on_bytes):
            if last is not None:
                ends = last[0] != name
                part = Part(layout.name, *last, is_first and not is_cut, ends and not is_cut)
                yield part, layout.join is not None
                is_first = ends
            last = name, block
        if last is not None:
            part = Part(layout.name, *last, is_first and not is_cut, not is_cut)
            yield part, layout.join is not None


def batches(layout: str, wholes: Iterator[Whole]) -> Iterator[Pieces]:
    """Traces whose pieces lay apart, some at a time."""
    batch: list[Whole] = []
    size = 0
    for whole in wholes:
        batch.append(whole)
        size += whole.size
        if size >= ENOUGH:
            yield Pieces(layout, batch)
            batch, size = [], 0
    if batch:
        yield Pieces(layout, batch)
