"""Records of any layout, translated into rows of the canonical table."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from batcheval.readers.assembly import Assembler, Row
from batcheval.readers.blocks import Block
from batcheval.readers.contents import NOTHING, decoded
from batcheval.readers.decoding import TORN, bad_line
from batcheval.readers.grouping import Gatherer, Whole
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace
from batcheval.readers.log import BadLine, ReadLog


class Made(NamedTuple):
    """A trace as a row, where it comes from, and about how many bytes it was there."""

    row: Row
    place: Place
    size: int


class Translator:
    """Turns the records of one layout into rows.

    Args:
        layout: whose records they are.
        assembler: what makes a trace a row.
        log: where lines and bad lines are counted.
    """

    def __init__(self, layout: Layout, assembler: Assembler, log: ReadLog) -> None:
        self._layout, self._log = layout, log
        self._row = assembler.row
        self._gathered = Gatherer()

    def take(self, block: Block, source: str) -> Iterator[Made]:
        """The traces that a block's records are; pieces wait for the others of their trace."""
        for number, (line, record) in enumerate(zip(block.numbers, block.records, strict=True)):
            place = Place(source, line)
            if (value := decoded(record)) is NOTHING:
                self._set_aside(block, number, source, _why_not(record))
                continue
            self._log.records += 1
            try:
                made = self._made(value, place, len(record))
            except Exception as error:  # whatever a layout, or somebody's function, stumbles over
                self._set_aside(block, number, source, _reason(error))
                continue
            if not made and not isinstance(value, dict | list):
                self._set_aside(block, number, source, "it is no record")
                continue
            self._log.idle += not made
            yield from (one for one in made if one is not None)

    def _set_aside(self, block: Block, number: int, source: str, reason: str | None) -> None:
        self._log.lines += 1
        if reason is None:
            self._log.blank += 1
        else:
            self._log.quarantine(bad_line(source, block, number, reason))

    def _made(self, value: Any, place: Place, size: int) -> list[Made | None]:
        """What a record is: traces, or None for a piece; these are put by once all are known."""
        found = [*self._layout.read(value, place)]
        share = size // max(1, len(found))
        made = [
            None if isinstance(one, Piece) else Made(self._row(one), place, share) for one in found
        ]
        for one in found:
            if isinstance(one, Piece):
                self._gathered.add(one.key, place, one.value)
        return made

    def end_of(self, source: str) -> Iterator[Made]:
        """The trace that a file is, where a file is one."""
        yield from self._joined(self._gathered.take(source))

    def end(self) -> Iterator[Made]:
        """The traces whose pieces lie apart."""
        yield from self._joined(self._gathered.rest())

    def _joined(self, wholes: Iterator[Whole]) -> Iterator[Made]:
        if (join := self._layout.join) is None:
            return
        for whole in wholes:
            try:
                traces = [*join(whole.key, whole.values)]
                made = [Made(self._row(trace), whole.place, whole.size) for trace in traces]
            except Exception as error:
                self._log.lines += 1
                self._log.quarantine(BadLine(*whole.place, 0, _reason(error), whole.key.encode()))
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


def _why_not(record: bytes) -> str | None:
    """Why a record is no JSON; None for a blank line."""
    return TORN if record == b"[" else "not JSON" if record.strip() else None


def _reason(error: Exception) -> str:
    """Why a record could not be read, on one line."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    said = " ".join(str(error).split())
    return said if type(error) is ValueError and said else f"{type(error).__name__}: {said}"
