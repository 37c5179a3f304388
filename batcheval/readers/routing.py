"""Files that hold records of several layouts: each record is read by the one whose marks it has."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace
from batcheval.readers.recognition import MIXED, claimed_by, known_layout

_MOST: Final = 10_000  # shapes of records that are remembered
_OF: Final = "\0"  # between the name of another layout and a key of its pieces
_KINDS: Final = frozenset(("type", "role", "kind", "object", "event"))
_TELLING: Final = (
    *("input", "output", "assistant_texts", "messages", "tool_calls", "error", "context"),
    *("expected", "expected_tool_calls", "expected_trajectory", "trajectory"),
)


def routed(layout: Layout, is_told: bool) -> Layout:
    """A layout that leaves to others what is theirs.

    Args:
        layout: that of most records of the files.
        is_told: whether somebody said that it is the layout of all of them. Then what it cannot
            read is no part of a trace, whosever it is.
    """
    router = _Router(layout, is_told)
    return replace(layout, read=router.read, join=router.join)


def is_alien(layout: Layout, records: list[Any]) -> bool:
    """Whether no record is of a layout, by its marks, and it finds no text and no call in any."""
    if any(claimed_by(record, layout, is_told=True) is layout for record in records):
        return False
    return layout is MIXED or not any(map(_says_something, _made(layout, records)))


def _made(layout: Layout, records: list[Any]) -> Iterator[Trace]:
    pieces: dict[str, list[Any]] = {}
    with suppress(ValueError):
        for line, record in enumerate(records, 1):
            for one in layout.read(record, Place("", line)):
                if isinstance(one, Piece):
                    pieces.setdefault(one.key, []).append(one.value)
                else:
                    yield one
        for key, values in pieces.items():
            yield from () if layout.join is None else layout.join(key, values)


class _Router:
    def __init__(self, layout: Layout, is_told: bool) -> None:
        self._layout, self._is_told = layout, is_told
        self._owners: dict[tuple[Any, ...], Layout | None] = {}

    def read(self, record: Any, place: Place) -> Iterable[Trace | Piece]:
        """What its layout makes of a record; nothing of one that is nobody's and says nothing."""
        owner = self._owner(record)
        if owner is self._layout:
            return owner.read(record, place)
        if owner is None:
            return filter(_says_something, self._layout.read(record, place))
        return (_of_other(owner.name, one) for one in owner.read(record, place))

    def join(self, key: str, values: list[Any]) -> Iterable[Trace]:
        """The traces of pieces, by the layout that made them."""
        name, of, own = key.rpartition(_OF)
        layout = known_layout(name) if of else self._layout
        return () if layout.join is None else layout.join(own, values)

    def _owner(self, record: Any) -> Layout | None:
        shape = _shape(record)
        if shape not in self._owners:
            owner = claimed_by(record, self._layout, self._is_told)
            if shape is None or len(self._owners) >= _MOST:
                return owner
            self._owners[shape] = owner
        return self._owners[shape]


def _shape(record: Any) -> tuple[Any, ...] | None:
    """What records of one sort have in common: their keys, and what they call themselves."""
    if type(record) is not dict:
        return None
    if _KINDS.isdisjoint(record):
        return tuple(record)
    return (*record, *[k if type(k := record.get(key)) is str else None for key in _KINDS])


def _of_other(name: str, one: Trace | Piece) -> Trace | Piece:
    return Piece(name + _OF + one.key, one.value) if isinstance(one, Piece) else one


def _says_something(made: Trace | Piece) -> bool:
    return not isinstance(made, dict) or any(made.get(name) for name in _TELLING)
