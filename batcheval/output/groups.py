"""Frames cut anew into groups of one height, so that no trace of the old cuts is left."""

from collections.abc import Callable

import polars as pl

_MANY = 256  # frames held; more are joined, since a frame of few rows is mostly overhead


class Groups:
    """Takes frames of any height and hands on frames of `size` rows, each in one piece.

    Args:
        size: the rows of every group but the last.
        emit: gets each group, in order.
    """

    def __init__(self, size: int, emit: Callable[[pl.DataFrame], None]) -> None:
        self._size, self._emit = size, emit
        self._held: list[pl.DataFrame] = []
        self._rows = 0

    def add(self, frame: pl.DataFrame) -> None:
        """Take the next rows, and hand on the groups that they fill."""
        if frame.height:
            self._held.append(frame)
            self._rows += frame.height
        if self._rows >= self._size:
            self._hand_on()
        elif len(self._held) > _MANY:
            self._held = [pl.concat(self._held, rechunk=True)]

    def flush(self) -> None:
        """Hand on what is left, a group of fewer rows."""
        if self._rows:
            self._emit(pl.concat(self._held).rechunk())
        self._held, self._rows = [], 0

    def _hand_on(self) -> None:
        held = pl.concat(self._held)
        self._rows = held.height % self._size
        whole = held.height - self._rows
        for group in held[:whole].iter_slices(self._size):
            self._emit(group.rechunk())
        self._held = [held[whole:]] if self._rows else []
