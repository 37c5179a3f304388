"""Which candidates become suggestions, by their support."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from batcheval.suggesting.candidates import KINDS, Bar, Candidate
from batcheval.suggesting.result import Suggestion
from batcheval.suggesting.support import Support
from batcheval.suggesting.telling import at_least, for_many, telling

_SHOWN: Final = 20  # suggestions of a kind


def chosen(
    named: Mapping[str, Candidate], support: Mapping[str, Support], bar: Bar, tried: int
) -> tuple[list[Suggestion], dict[str, int]]:
    """The candidates that clear the bar, those that tell good from bad first.

    Args:
        named: by id.
        support: by id.
        bar: what a suggestion must clear.
        tried: how many statements were tried.

    Returns:
        At most 20 of a kind; and by kind, how many more there are.
    """
    made = [_made(name, one, support[name], bar) for name, one in named.items()]
    adjusted = for_many([one.p for one in made], tried)
    made = [replace(one, p_adjusted=p) for one, p in zip(made, adjusted, strict=True)]
    level = 1 - bar.confidence
    kept = [
        one
        for one in made
        if bar.cleared(one.holds, one.runs) and (tells(one, level) or not named[one.id].must_tell)
    ]
    kept.sort(key=lambda one: (*_rank(one, level), -one.low))
    shown: list[Suggestion] = []
    more: dict[str, int] = {}
    for one in kept:
        if sum(other.kind == one.kind for other in shown) < _SHOWN:
            shown.append(one)
        else:
            more[one.kind] = more.get(one.kind, 0) + 1
    return shown, more


def _rank(one: Suggestion, level: float) -> tuple[bool, float, int]:
    """What tells good from bad first, by p; the others by what they are about."""
    if tells(one, level):
        return False, one.p_adjusted or 0.0, 0
    return True, 1.0, KINDS.index(one.kind)


def tells(one: Suggestion, level: float) -> bool:
    """Whether bad runs break it more often than good ones, and that is not chance."""
    return one.p_adjusted is not None and one.p_adjusted <= level and (one.phi or 0) > 0


def _made(name: str, candidate: Candidate, support: Support, bar: Bar) -> Suggestion:
    runs, holds = support.scored[True], support.holds[True]
    bad_runs, bad_holds = support.scored[False], support.holds[False]
    scored = sum(support.scored.values())
    found = telling((holds, runs - holds), (bad_holds, bad_runs - bad_holds))
    return Suggestion(
        id=name,
        kind=candidate.kind,
        says=candidate.says,
        check=candidate.check,
        scored=scored,
        mean=sum(support.holds.values()) / scored if scored else 0.0,
        runs=runs,
        holds=holds,
        share=holds / runs if runs else 0.0,
        low=at_least(holds, runs, bar.confidence) if runs else 0.0,
        breakers=support.breakers[True],
        bad_runs=bad_runs,
        bad_holds=bad_holds,
        bad_breakers=support.breakers[False],
        **found._asdict(),
        p_adjusted=None,
    )
