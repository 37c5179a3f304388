"""Records of any layout, translated into records of the native one."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from batcheval.readers.blocks import Block
from batcheval.readers.contents import decoded
from batcheval.readers.decoding import bad_line
from batcheval.readers.grouping import Gatherer, Whole
from batcheval.readers.layouts.layout import UNPAIRED, Layout, Piece, Place, Trace
from batcheval.readers.log import BadLine, ReadLog

_encode = msgspec.json.Encoder(decimal_format="number").encode


class Native(NamedTuple):
    """A trace as a line of the native layout, and where it comes from."""

    line: bytes
    place: Place


class Translator:
    """Turns the records of one layout into native ones.

    Args:
        layout: whose records they are.
        wanted: the columns to fill.
        log: where lines and bad lines are counted.
    """

    def __init__(self, layout: Layout, wanted: Mapping[str, Any], log: ReadLog) -> None:
        self._layout, self._log = layout, log
        self._wanted = {*wanted} - {"source", "line"}
        self._gathered = Gatherer()

    def take(self, block: Block, source: str) -> Iterator[Native]:
        """The traces that a block's records are; pieces wait for the others of their trace."""
        for number, (line, record) in enumerate(zip(block.numbers, block.records, strict=True)):
            place = Place(source, line)
            value = next(decoded(record), _Nothing)
            if value is _Nothing:
                self._set_aside(block, number, source, None if not record.strip() else "not JSON")
                continue
            self._log.records += 1
            try:
                made = list(self._made(value, place))
            except Exception as error:  # whatever a layout, or somebody's function, stumbles over
                self._set_aside(block, number, source, _reason(error))
                continue
            if not made and not isinstance(value, dict | list):
                self._set_aside(block, number, source, "it is no record")
                continue
            self._log.idle += not made
            yield from (one for one in made if isinstance(one, Native))

    def _set_aside(self, block: Block, number: int, source: str, reason: str | None) -> None:
        self._log.lines += 1
        if reason is None:
            self._log.blank += 1
        else:
            self._log.quarantine(bad_line(source, block, number, reason))

    def _made(self, value: Any, place: Place) -> Iterator[Native | Piece]:
        """What a record is: traces, or pieces, which are put by once all of them are known."""
        made = [*self._layout.read(value, place)]
        natives = [one if isinstance(one, Piece) else self._native(one, place) for one in made]
        for one in natives:
            if isinstance(one, Piece):
                self._gathered.add(one.key, place, one.value)
        yield from natives

    def end_of(self, source: str) -> Iterator[Native]:
        """The trace that a file is, where a file is one."""
        yield from self._joined(self._gathered.take(source))

    def end(self) -> Iterator[Native]:
        """The traces whose pieces lie apart."""
        yield from self._joined(self._gathered.rest())

    def _joined(self, wholes: Iterator[Whole]) -> Iterator[Native]:
        if (join := self._layout.join) is None:
            return
        for whole in wholes:
            try:
                made = [self._native(trace, whole.place) for trace in join(whole.key, whole.values)]
            except Exception as error:
                self._log.lines += 1
                self._log.quarantine(BadLine(*whole.place, 0, _reason(error), whole.key.encode()))
                continue
            yield from made

    def _native(self, trace: Trace, place: Place) -> Native:
        if not isinstance(trace, dict):
            raise ValueError(f"a trace is an object, not {trace!r:.60}")
        self._log.unpaired += trace.get(UNPAIRED, 0)
        kept = {name: value for name, value in trace.items() if name in self._wanted}
        return Native(_encode(kept), place)


def _reason(error: Exception) -> str:
    """Why a record could not be read, on one line."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    said = " ".join(str(error).split())
    return said if type(error) is ValueError and said else f"{type(error).__name__}: {said}"


class _Nothing:
    """Stands for a record that is no JSON."""
