"""Checks that may be worth a suggestion, from what good runs have in common."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from batcheval.suggesting.evidence import Evidence
from batcheval.suggesting.telling import at_least, needed

KINDS: Final = ("tools", "order", "arguments", "length", "time and cost", "errors")


@dataclass(frozen=True)
class Candidate:
    """A check that may be suggested.

    Attributes:
        kind: what it is about, one of `KINDS`.
        name: the id it would like.
        says: what it claims of a run, in words.
        check: its table in a suite.
        must_tell: it is worth nothing unless it tells good runs from bad ones.
    """

    kind: str
    name: str
    says: str
    check: Mapping[str, Any]
    must_tell: bool = False


class Tried(NamedTuple):
    """A candidate, in how many good runs it holds as far as is known, and of how many."""

    holds: int
    runs: int
    candidate: Candidate


class Bar(NamedTuple):
    """What a suggestion must clear: it holds in `share` of good runs, with `confidence`."""

    share: float
    confidence: float

    @property
    def least(self) -> int:
        """The fewest runs that can clear it."""
        return needed(self.share, self.confidence)

    def cleared(self, holds: int, runs: int) -> bool:
        """Whether so many of so many runs are enough."""
        return runs >= self.least and at_least(holds, runs, self.confidence) >= self.share


Rule = Callable[[Evidence, Bar], Iterator[Tried]]


def called(tool: str) -> dict[str, Any]:
    """The condition that a tool is called, as a table in a suite."""
    return {"check": "called_tool", "tool_name": tool}


def when(condition: Mapping[str, Any], then: Mapping[str, Any]) -> dict[str, Any]:
    """A check for those runs only for which a condition holds."""
    return {"check": "when", "condition": condition, "then": then}


def along(path: str) -> dict[str, Any]:
    """The check that a run goes along a path."""
    return {"check": "path_matches", "path": path}
