"""How far the traces of a file reach, by the look of its first records."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Final, Literal, TypeAlias

from batcheval.readers.contents import LOOKED_AT, NOTHING, contents, decoded
from batcheval.readers.files import File
from batcheval.readers.layouts.layout import Piece, Place
from batcheval.readers.routing import routed
from batcheval.stores import is_address

Reach: TypeAlias = Literal["record", "file", "dump"]
_ENOUGH: Final = 1 << 20  # bytes of records


def reach_of(file: File, is_told: bool) -> Reach:
    """Whether each trace is a record, or lies within this file, or may go on in others.

    Args:
        file: looked at.
        is_told: whether somebody said which layout it has.
    """
    if file.layout is None:
        return "record"
    if is_address(file.source.path):
        return "dump"
    layout = routed(file.layout, is_told)
    reach: Reach = "record"
    for place, record in islice(_records(file), LOOKED_AT):
        with suppress(Exception):  # it is a bad line, which is told where it is scored
            for one in layout.read(record, place):
                if isinstance(one, Piece):
                    if one.key != place.source:
                        return "dump"
                    reach = "file"
    return reach


def _records(file: File) -> Iterator[tuple[Place, object]]:
    size = 0
    for name, block in contents(file.source, file.kind):
        for line, record in zip(block.numbers, block.records, strict=True):
            if (value := decoded(record)) is not NOTHING:
                yield Place(name, line), value
            size += len(record)
            if size > _ENOUGH:
                return
