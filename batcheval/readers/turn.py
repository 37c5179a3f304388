"""One task of a layout's records at work: records in, traces as rows out."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from batcheval.readers.assembly import Assembler, Row
from batcheval.readers.blocks import Block
from batcheval.readers.contents import NOTHING, decoded
from batcheval.readers.decoding import TORN, bad_line
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace
from batcheval.readers.log import BadLine, ReadLog
from batcheval.readers.pieces import Held, Whole
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
        self._held: dict[str, dict[str, Held]] = {}

    def taken(self, parts: list[Part]) -> Iterator[Made]:
        """The traces in records; pieces wait for the others of their trace."""
        begun: set[str] = set()
        for part in parts:
            held = self._held.setdefault(part.layout, {})
            yield from self._taken(part, held)
            if part.is_first:
                begun.add(part.source)
            if part.is_last and part.source not in begun:
                self.ended.append((part.layout, part.source))
            elif part.is_last and part.source in held:
                yield from self._joined(part.layout, part.source, held.pop(part.source))

    def left(self) -> list[Pieces]:
        """Pieces of traces that may go on elsewhere."""
        return [
            Pieces(layout, [Whole.of(key, pieces) for key, pieces in held.items()])
            for layout, held in self._held.items()
            if held
        ]

    def _taken(self, part: Part, held: dict[str, Held]) -> Iterator[Made]:
        read, block, row = self._layouts[part.layout].read, part.block, self._row
        for number, (line, record) in enumerate(zip(block.numbers, block.records, strict=True)):
            place = Place(part.source, line)
            if (value := decoded(record)) is NOTHING:
                self._set_aside(block, number, part.source, _why_not(record))
                continue
            self._log.records += 1
            try:
                found = [*read(value, place)]
                rows = [None if isinstance(one, Piece) else row(one) for one in found]
            except Exception as error:  # whatever a layout, or somebody's function, stumbles over
                self._set_aside(block, number, part.source, _reason(error))
                continue
            if not found and not isinstance(value, dict | list):
                self._set_aside(block, number, part.source, "it is no record")
                continue
            self._log.idle += not found
            for one, made in zip(found, rows, strict=True):
                if not isinstance(one, Piece):
                    yield Made(made or {}, place, len(record) // len(found))
                    continue
                pieces = held.get(one.key) or held.setdefault(one.key, Held(place))
                pieces.values.append(one.value)
                pieces.size += len(record) // len(found)

    def joined(self, pieces: Pieces) -> Iterator[Made]:
        """The traces whose pieces are together."""
        for whole in pieces.wholes:
            yield from self._joined(pieces.layout, whole.key, whole.held)

    def _joined(self, layout: str, key: str, held: Held) -> list[Made]:
        join = self._layouts[layout].join
        try:
            traces = [] if join is None else [*join(key, held.values)]
            made = [Made(self._row(one), held.place, held.size) for one in traces]
        except Exception as error:
            self._log.lines += 1
            self._log.quarantine(BadLine(*held.place, 0, _reason(error), key.encode()))
            return []
        if key == held.place.source:
            self._told_apart(key, held, traces)
        return made

    def _told_apart(self, key: str, held: Held, traces: list[Trace]) -> None:
        """Count the traces of a file that have no id, and tell if another file says the same."""
        nameless = [t for t in traces if t.get("trace_id") in (None, held.place.stem)]
        self._log.nameless += len(nameless)
        if nameless:
            self._log.hear(held.digest, key)

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
