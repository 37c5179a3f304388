"""A path as an automaton: which call may follow which, and where a path may end.

After Glushkov 1961, "The abstract theory of automata": each name in the path is a position, and a
set of positions is the state of a run that may be at any of them. Sets are numbers, a bit each.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Final, NamedTuple

from batcheval.checks.paths.tree import Call, Node, Repeat, Sequence
from batcheval.errors import BadArgumentError

MOST_POSITIONS: Final = 2_000


class _Part(NamedTuple):
    """A part of a path: can it be nothing, and at which positions it begins and ends."""

    empty: bool
    first: int
    last: int


_NOTHING: Final = _Part(True, 0, 0)


@dataclass
class Automaton:
    """What a path allows.

    Attributes:
        names: of the tools in the path, in order of appearance.
        allowed: by symbol (a place in `names`, or behind them any other name), the positions that
            a call of it can be at.
        follow: by position, those that can come next.
        first: the positions of a first call.
        last: the positions at which a run may end.
        empty: whether a run without calls is on the path.
    """

    names: list[str] = field(default_factory=list)
    allowed: list[int] = field(default_factory=list)
    follow: list[int] = field(default_factory=list)
    first: int = 0
    last: int = 0
    empty: bool = False

    def after(self, state: int) -> int:
        """The positions that can come next after any of a state."""
        return reduce(or_, (self.follow[place] for place in _places(state)), 0)


def automaton_of(tree: Node, text: str) -> Automaton:
    """The automaton of a path.

    Raises:
        BadArgumentError: with its repeats written out it has too many names.
    """
    builder = _Builder(text)
    whole = builder.part(tree)
    names = list(dict.fromkeys(name for name in builder.called if name is not None))
    anything = _mask(builder.called, None)
    allowed = [anything | _mask(builder.called, name) for name in names]
    return Automaton(
        names, [*allowed, anything], builder.follow, whole.first, whole.last, whole.empty
    )


class _Builder:
    def __init__(self, text: str) -> None:
        self.text = text
        self.called: list[str | None] = []
        self.follow: list[int] = []

    def part(self, node: Node) -> _Part:
        if isinstance(node, Call):
            return self._position(node.name)
        if isinstance(node, Repeat):
            return self._repeated(node)
        parts = [self.part(one) for one in node.parts]
        return reduce(self._joined if isinstance(node, Sequence) else _either, parts)

    def _position(self, name: str | None) -> _Part:
        if len(self.called) == MOST_POSITIONS:
            wanted = f"a path of at most {MOST_POSITIONS:,} names, repeats written out"
            raise BadArgumentError("path", wanted, self.text)
        bit = 1 << len(self.called)
        self.called.append(name)
        self.follow.append(0)
        return _Part(False, bit, bit)

    def _repeated(self, node: Repeat) -> _Part:
        one = self.part(node.part)
        if not one.first or node.high == 0:
            return _NOTHING
        if node.high is None:
            rest = [self.part(node.part) for _ in range(node.low - 1)]
            whole = reduce(self._joined, [one, *rest])
            again = (rest or [one])[-1]
            self._link(again.last, again.first)
            return whole._replace(empty=whole.empty or not node.low)
        copies = [one, *(self.part(node.part) for _ in range(node.high - 1))]
        whole = _NOTHING
        for place, copy in reversed(list(enumerate(copies))):  # a (b (c)?)?, the least links
            whole = self._joined(copy, whole)
            whole = whole._replace(empty=whole.empty or place >= node.low)
        return whole

    def _joined(self, one: _Part, other: _Part) -> _Part:
        self._link(one.last, other.first)
        first = one.first | other.first if one.empty else one.first
        last = one.last | other.last if other.empty else other.last
        return _Part(one.empty and other.empty, first, last)

    def _link(self, last: int, first: int) -> None:
        for place in _places(last):
            self.follow[place] |= first


def _either(one: _Part, other: _Part) -> _Part:
    return _Part(one.empty or other.empty, one.first | other.first, one.last | other.last)


def _mask(called: list[str | None], name: str | None) -> int:
    return reduce(or_, (1 << place for place, found in enumerate(called) if found == name), 0)


def _places(state: int) -> Iterator[int]:
    """The bits of a state."""
    while state:
        lowest = state & -state
        yield lowest.bit_length() - 1
        state ^= lowest
