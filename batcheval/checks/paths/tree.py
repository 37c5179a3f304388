"""What the text of a path says: calls, one after the other, choices, repeats."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Call:
    """One call: of the tool of this name, or of any where it is None."""

    name: str | None


@dataclass(frozen=True)
class Sequence:
    """One part after the other."""

    parts: tuple["Node", ...]


@dataclass(frozen=True)
class Choice:
    """One of the parts."""

    parts: tuple["Node", ...]


@dataclass(frozen=True)
class Repeat:
    """The part so many times; `high` is None for any number."""

    part: "Node"
    low: int
    high: int | None


Node: TypeAlias = Call | Sequence | Choice | Repeat
