"""What a search for suggestions found."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from typing import Any


@dataclass(frozen=True)
class Suggestion:
    """A check that holds in nearly all good runs, and the evidence for it.

    Attributes:
        id: of the scorer.
        kind: what it is about: tools, order, arguments, length, time and cost, errors.
        says: what it claims of a run, in words.
        check: its table in a suite.
        scored: how many runs it scores, good, bad or without a label.
        mean: of their scores, as `score` gives it.
        runs: how many good runs it scores: its support.
        holds: in how many of them it holds.
        share: `holds` of `runs`.
        low: the lower bound of that share, at the confidence that was asked for.
        breakers: the ids of the first good runs that break it.
        bad_runs: how many bad runs it scores.
        bad_holds: in how many of them it holds.
        bad_breakers: the ids of the first bad runs that break it.
        precision: of the runs that break it, the share of bad ones.
        recall: of the bad runs, the share that breaks it.
        phi: the correlation of holding and being good, in -1..1.
        p: of Fisher's exact test; of this and the three before, null without bad runs.
        p_adjusted: by Holm, over all that was tried.
    """

    id: str
    kind: str
    says: str
    check: Mapping[str, Any]
    scored: int
    mean: float
    runs: int
    holds: int
    share: float
    low: float
    breakers: list[str]
    bad_runs: int
    bad_holds: int
    bad_breakers: list[str]
    precision: float | None
    recall: float | None
    phi: float | None
    p: float | None
    p_adjusted: float | None

    @property
    def sure(self) -> str:
        """The lower bound in percent, never rounded up."""
        return f"{floor(self.low * 1000) / 10:.1f}%"


@dataclass(frozen=True)
class Suggestions:
    """A suite that a dump speaks for.

    Attributes:
        good: the condition that tells good runs, or None where all count as good.
        runs: the numbers of `all`, `good` and `bad` runs; the rest has no label.
        share: in what share of good runs a suggestion holds, at least.
        confidence: of the lower bound of that share; 1 less it is the level of the tests.
        least: how many runs were needed to say anything.
        tried: how many statements were tried: the family of the adjusted p.
        suggestions: those that hold; those that tell good from bad first.
        left_out: by kind, how many more there are.
        errors: the most frequent errors: `name` of the tool, null for the run itself, its `text`
            (digits as `#`), and the numbers of `calls`, `good`, `bad` and all `runs`.
        labels: where no condition was given, labels that could be one.
    """

    good: str | None
    runs: Mapping[str, int]
    share: float
    confidence: float
    least: int
    tried: int
    suggestions: list[Suggestion]
    left_out: Mapping[str, int]
    errors: list[dict[str, Any]]
    labels: list[str]
