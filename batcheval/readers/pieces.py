"""Pieces of a trace: as they are while they are at hand, as JSON while they wait elsewhere."""

import json
from hashlib import md5
from typing import Any, NamedTuple

import msgspec

from batcheval.readers.layouts.layout import Place

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


def encoded(value: Any) -> bytes:
    """A value as JSON, on one line."""
    try:
        return _encode(value)
    except OverflowError:  # an integer of more than 64 bits
        return json.dumps(value).encode()


class Held:
    """Pieces of a trace as they are, while they are at hand.

    Attributes:
        place: that of the first.
        values: the pieces in the order in which they came.
        size: about how many bytes they were in their file.
    """

    __slots__ = ("place", "size", "values")

    def __init__(self, place: Place) -> None:
        self.place, self.size = place, 0
        self.values: list[Any] = []

    @property
    def digest(self) -> bytes:
        """What tells whether two say the same."""
        return md5(encoded(self.values), usedforsecurity=False).digest()


class Whole(NamedTuple):
    """Pieces of a key in the order in which they came, and the place of the first.

    They are JSON, so that they may wait on disk or go to another process: lists of some pieces.
    """

    key: str
    place: Place
    data: list[bytes]

    @staticmethod
    def of(key: str, held: Held) -> "Whole":
        """The pieces of a trace, put away."""
        return Whole(key, held.place, [encoded(held.values)])

    @property
    def held(self) -> Held:
        """The pieces themselves."""
        held = Held(self.place)
        held.values = [value for some in self.data for value in _decode(some)]
        held.size = self.size
        return held

    @property
    def size(self) -> int:
        """How many bytes they are."""
        return sum(map(len, self.data))

    @property
    def cost(self) -> int:
        """About how many bytes of memory they take."""
        return self.size + len(self.key) + 100 * len(self.data)
