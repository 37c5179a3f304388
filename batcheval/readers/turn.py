"""One task of a layout's records at work: records in, traces as rows out."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from batcheval.readers.assembly import Assembler, Row
from batcheval.readers.blocks import Block
from batcheval.readers.contents import NOTHING, decoded
from batcheval.readers.decoding import TORN, bad_line
from batcheval.readers.grouping import Gatherer, Whole
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace
from batcheval.readers.log import BadLine, ReadLog
from batcheval.readers.tasks import Part, Pieces


class Made(NamedTuple):
    """A trace as a row, where it comes from, and about how many bytes it was there."""

    row: Row
    place: Place
    size: int


class Turn:
    """One task, at work.

    Args:
        layouts: those of the records, by name.
        assembler: what makes a trace a row.
        log: where lines and bad lines are counted.
    """

    def __init__(self, layouts: Mapping[str, Layout], assembler: Assembler, log: ReadLog) -> None:
        self.ended: list[tuple[str, str]] = []  # files that began in an earlier task
        self._layouts, self._row, self._log = layouts, assembler.row, log
        self._gathered: dict[str, Gatherer] = {}

    def taken(self, parts: list[Part]) -> Iterator[Made]:
        """The traces in records; pieces wait for the others of their trace."""
        begun: set[str] = set()
        for part in parts:
            gathered = self._gathered.setdefault(part.layout, Gatherer())
            yield from self._taken(part, gathered)
            if part.is_first:
                begun.add(part.source)
            if part.is_last and part.source in begun:
                yield from self.joined(part.layout, gathered.take(part.source))
            elif part.is_last:
                self.ended.append((part.layout, part.source))

    def left(self) -> list[Pieces]:
        """Pieces of traces that may go on elsewhere."""
        left = [Pieces(layout, [*gathered.rest()]) for layout, gathered in self._gathered.items()]
        return [pieces for pieces in left if pieces.wholes]

    def _taken(self, part: Part, gathered: Gatherer) -> Iterator[Made]:
        read, block = self._layouts[part.layout].read, part.block
        for number, (line, record) in enumerate(zip(block.numbers, block.records, strict=True)):
            place = Place(part.source, line)
            if (value := decoded(record)) is NOTHING:
                self._set_aside(block, number, part.source, _why_not(record))
                continue
            self._log.records += 1
            try:
                found = [*read(value, place)]
                share = len(record) // max(1, len(found))
                made = [self._made(one, place, share) for one in found]
            except Exception as error:  # whatever a layout, or somebody's function, stumbles over
                self._set_aside(block, number, part.source, _reason(error))
                continue
            if not found and not isinstance(value, dict | list):
                self._set_aside(block, number, part.source, "it is no record")
                continue
            self._log.idle += not found
            for one in made:
                if isinstance(one, Whole):
                    gathered.put(one)
                else:
                    yield one

    def _made(self, found: Any, place: Place, size: int) -> Made | Whole:
        if isinstance(found, Piece):
            return Whole.of(found.key, place, found.value)
        return Made(self._row(found), place, size)

    def joined(self, layout: str, wholes: Iterable[Whole]) -> Iterator[Made]:
        """The traces whose pieces are together."""
        join = self._layouts[layout].join
        for whole in wholes:
            try:
                traces = [] if join is None else [*join(whole.key, whole.values)]
                made = [Made(self._row(one), whole.place, whole.size) for one in traces]
            except Exception as error:
                self._log.lines += 1
                bad = BadLine(*whole.place, 0, _reason(error), whole.key.encode())
                self._log.quarantine(bad)
                continue
            if whole.key == whole.place.source:
                self._told_apart(whole, traces)
            yield from made

    def _told_apart(self, whole: Whole, traces: list[Trace]) -> None:
        """Count the traces of a file that have no id, and tell if another file says the same."""
        nameless = [t for t in traces if t.get("trace_id") in (None, whole.place.stem)]
        self._log.nameless += len(nameless)
        if nameless:
            self._log.hear(whole.digest, whole.key)

    def _set_aside(self, block: Block, number: int, source: str, reason: str | None) -> None:
        self._log.lines += 1
        if reason is None:
            self._log.blank += 1
        else:
            self._log.quarantine(bad_line(source, block, number, reason))


def _why_not(record: bytes) -> str | None:
    """Why a record is no JSON; None for a blank line."""
    return TORN if record == b"[" else "not JSON" if record.strip() else None


def _reason(error: Exception) -> str:
    """Why a record could not be read, on one line."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    said = " ".join(str(error).split())
    return said if type(error) is ValueError and said else f"{type(error).__name__}: {said}"
