"""What becomes of gates: each thing that was asked, and the verdict."""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, TypeAlias

Outcome: TypeAlias = Literal["passed", "scored", "failed"]

_WEIGHT: Final[dict[str, Outcome]] = {"every": "failed"}  # whatever else is missed: "scored"


class Judged(NamedTuple):
    """One thing that a gate asks, and what was found.

    Attributes:
        scorer: the id of the scorer.
        key: what is asked: `every`, `min`, `max`, `min_scored` or `max_regression`; or
            `min_slice_size`, of what is said of slices that are too small to be judged.
        passed: whether it was reached; never where nothing was scored.
        found: what was found, and what was asked, in words.
        column: by which a slice was judged, or None for the whole run.
        value: the slice's value; None is null.
    """

    scorer: str
    key: str
    passed: bool
    found: str
    column: str | None = None
    value: str | None = None


class Judgement(NamedTuple):
    """What became of all gates.

    Attributes:
        gates: each thing that was asked, in the order of the suite.
        verdict: `failed` if an `every` gate failed, else `scored` if another was missed, else
            `passed`; None where nothing was asked.
    """

    gates: list[Judged]
    verdict: Outcome | None


def together(*judgements: Judgement) -> Judgement:
    """One judgement of what several have judged."""
    return judgement_of(gate for judgement in judgements for gate in judgement.gates)


def judgement_of(judged: Iterable[Judged]) -> Judgement:
    """The verdict on all that was judged."""
    found = list(judged)
    missed = {_WEIGHT.get(gate.key, "scored") for gate in found if not gate.passed}
    if not found:
        return Judgement(found, None)
    return Judgement(found, "failed" if "failed" in missed else "scored" if missed else "passed")
