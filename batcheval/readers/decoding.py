"""Records decoded: one C call a line, and a slower way for whatever that cannot take."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from batcheval.readers.blocks import Block, is_utf8
from batcheval.readers.log import BadLine
from batcheval.readers.repair import attempts, repair
from batcheval.schema.shapes import Shape, unknown_key


@dataclass(slots=True)
class Decoded:
    """The records of a block, and by their place in it what became of the others.

    Attributes:
        rows: the decoded records, in order.
        skipped: the places of blank and of bad lines.
        repaired: the places of records that were kept with a loss.
        bad: the places of bad lines, each with the reason.
        odd: by key, how many of its values were of another type than usual.
    """

    rows: list[Any] = field(default_factory=list)
    skipped: set[int] = field(default_factory=set)
    repaired: set[int] = field(default_factory=set)
    bad: list[tuple[int, str]] = field(default_factory=list)
    odd: Counter[str] = field(default_factory=Counter)

    @property
    def blank(self) -> int:
        """How many lines were blank."""
        return len(self.skipped) - len(self.bad)


class UnknownKey(Exception):
    """A key in a tool call that the shape does not know yet."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def decode(block: Block, shape: Shape) -> Decoded:
    """Decode the records of a block.

    Raises:
        UnknownKey: a tool call has a key that is new; with a shape that knows it, start again.
    """
    found = Decoded()
    records = block.records
    if not block.is_utf8:
        found.repaired.update(place for place, r in enumerate(records) if not is_utf8(r))
        records = [repair(r) if n in found.repaired else r for n, r in enumerate(records)]
    rows, fast, remaining = found.rows, shape.fast, iter(records)
    while True:
        try:
            for record in remaining:
                rows.append(fast(record))
            return found
        except (msgspec.DecodeError, RecursionError) as error:
            if (key := unknown_key(error)) is not None:
                raise UnknownKey(key) from error
            place = len(rows) + len(found.skipped)
            _decode_slowly(records[place], place, shape, found, error)


def _decode_slowly(
    record: bytes, place: int, shape: Shape, found: Decoded, error: Exception
) -> None:
    if not record.strip():
        found.skipped.add(place)
        return
    for attempt in attempts(record):
        try:
            row, odd, lost = shape.decode(attempt)
        except (msgspec.DecodeError, RecursionError) as failure:
            error = error if isinstance(error, RecursionError) else failure
            continue
        found.rows.append(row)
        found.odd.update(odd)
        if lost or attempt is not record:
            found.repaired.add(place)
        return
    found.skipped.add(place)
    found.repaired.discard(place)
    found.bad.append((place, TORN if record == b"[" else _reason(error)))


TORN: Final = "not JSON: an array that is never closed (the file may be cut off), or a second one"


def bad_line(source: str, block: Block, place: int, reason: str) -> BadLine:
    """What is told of a bad line: its place, the reason, and its bytes."""
    return BadLine(source, block.numbers[place], block.start(place), reason, block.records[place])


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "JSON nested too deeply"
    text = str(error).removeprefix("JSON is malformed: ").replace("`", "'")
    if isinstance(error, msgspec.ValidationError):
        return text.replace("Expected 'object', got", "a trace is an object, this is of type")
    return f"not JSON: {text[:1].lower()}{text[1:]}"
