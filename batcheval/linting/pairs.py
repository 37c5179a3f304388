"""Scorers that are the same as others, follow from them, or exclude them."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from batcheval.linting.calls import Called
from batcheval.linting.certain import clash, follows, outcome
from batcheval.linting.finding import Finding, scorer
from batcheval.suite import Gate


def alone(calls: Mapping[str, Called]) -> Iterator[Finding]:
    """Scorers that cannot fail, or cannot pass."""
    for scorer_id, call in calls.items():
        found = outcome(call)
        if found == "passes":
            yield Finding("warning", scorer(scorer_id), f"cannot fail: {call.text} always holds")
        if found == "fails":
            yield Finding("error", scorer(scorer_id), f"cannot pass: {call.text} never holds")


def pairs(calls: Mapping[str, Called], gates: Mapping[str, Gate]) -> Iterator[Finding]:
    """What two scorers of a suite have to do with each other."""
    certain = [one for one in calls if outcome(calls[one]) is None]
    for first, second in combinations(certain, 2):
        one, other = calls[first], calls[second]
        if (one.check, one.arguments) == (other.check, other.arguments):
            yield Finding("warning", scorer(second), f"is the same as '{first}': {one.text}")
        elif clash(one, other):
            yield _clash(first, second, calls, gates)
        else:
            yield from _implied(first, second, follows(other, one), follows(one, other))


def _clash(
    first: str, second: str, calls: Mapping[str, Called], gates: Mapping[str, Gate]
) -> Finding:
    every = all(name in gates and gates[name].every for name in (first, second))
    told = f"no trace passes both it and '{first}': {calls[second].text}, {calls[first].text}"
    return Finding(
        "error" if every else "warning",
        scorer(second),
        f"{told}; yet both gates ask for every trace" if every else told,
    )


def _implied(first: str, second: str, forth: bool, back: bool) -> Iterator[Finding]:
    if forth and back:
        yield Finding("warning", scorer(second), f"asks what '{first}' asks in other words")
    elif forth:
        yield Finding("note", scorer(second), f"is passed wherever '{first}' is")
    elif back:
        yield Finding("note", scorer(first), f"is passed wherever '{second}' is")
