"""What a layout is: how the records of one writer become traces."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final, NamedTuple, TypeAlias

# A record of the native layout: canonical columns, each value as JSON would have it.
Trace: TypeAlias = dict[str, Any]
# Beside its columns, how many results of tools a trace has whose call is missing.
UNPAIRED: Final = "\0unpaired"


_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Place(NamedTuple):
    """Where a record stands: the file, and the line on which it starts, from 1."""

    source: str
    line: int

    @property
    def stem(self) -> str:
        """The file's name without folders and ending, for a trace that has no id."""
        return PurePath(self.source).stem

    @property
    def session(self) -> str:
        """The UUID in the file's name, by which many agents call a session's file; else the stem.

        Example:
            >>> Place("rollout-2025-05-07-5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl", 1).session
            '5973b6c0-94b8-487b-a530-2aeb6098ae0e'
        """
        found = _UUID.search(self.stem)
        return found[0] if found else self.stem


class Piece(NamedTuple):
    """A part of a trace: `key` tells of which. Its value is JSON, since it may wait on disk."""

    key: str
    value: Any


@dataclass(frozen=True)
class Layout:
    """How one writer's records are recognised, and become traces.

    Attributes:
        name: what `--format` takes.
        title: one line on whose they are.
        marks: how surely a record is of this layout: 0 it is not, 10 it can be nothing else. Gets
            any JSON value.
        read: the traces of a record, or pieces of traces. Raises `ValueError`, with the reason, for
            a record that is broken; yields nothing for one that is of no interest.
        join: the traces of all pieces with one key, which come in the order of the files. Needed
            where `read` gives pieces.
    """

    name: str
    title: str
    marks: Callable[[Any], int]
    read: Callable[[Any, Place], Iterable[Trace | Piece]]
    join: Callable[[str, list[Any]], Iterable[Trace]] | None = None
