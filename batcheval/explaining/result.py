"""What an explanation holds."""

from dataclasses import dataclass
from typing import Any

from batcheval.explaining.evidence import Span


@dataclass(frozen=True)
class Explained:
    """One score.

    Attributes:
        scorer: its id.
        score: in 0..1, null where the run is unscored.
        recorded: what the file of scores says, where that is another number; else None.
        verdict: what the gate of the scorer says of this score; "-" without a gate.
        reason: one sentence, or None.
        details: the evidence, or None.
        missing: what was wanted and is not there.
    """

    scorer: str
    score: float | None
    recorded: float | None
    verdict: str
    reason: str | None
    details: dict[str, Any] | None
    missing: list[str]


@dataclass(frozen=True)
class Explanation:
    """One run: its scores, and what they point at.

    Attributes:
        trace: the row of the canonical table.
        scores: in the order of the file.
        spans: by the name of a text, the pieces of it that scores point at, in order.
        calls: by the number of a call, from 1, the scorers that point at it.
        notes: what the reader should know, a sentence each.
    """

    trace: dict[str, Any]
    scores: list[Explained]
    spans: dict[str, list[Span]]
    calls: dict[int, list[str]]
    notes: list[str]
