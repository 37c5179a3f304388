"""The steps of a run against those of a route: which are met, and what that scores."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from math import floor
from typing import Final, NamedTuple, TypeAlias

from batcheval.checks.trajectories.expectations import Key, Route, Shape, key_of
from batcheval.checks.trajectories.steps import Step

Steps: TypeAlias = Sequence[Step]
Places: TypeAlias = list[int | None]  # by expected step: the place of the step that meets it

PER_REPEAT: Final = 0.1
PER_EXTRA: Final = 0.5


class Comparison(NamedTuple):
    """What a comparison found, by the names of the steps."""

    matched: int
    missing: list[str]
    extra: list[str]
    out_of_order: list[str]
    repeated: list[str]


def round2(number: float) -> float:
    """To two decimals, halves up."""
    return floor((number + 2**-52) * 100 + 0.5) / 100


def accuracy(steps: Steps, route: Route, ordering: str, allow_repeated: bool) -> float:
    """How well steps keep to a route, in 0..1.

    The share of its steps that are met. In `strict` order every further step costs half of an
    expected one; where repeats are not allowed, each name that recurs more often than the route
    asks for costs 0.1. An empty route asks for no step at all.
    """
    if not route.steps:
        return float(not steps)
    total = len(route.steps)
    score = (total - places(steps, route, ordering).count(None)) / total
    if ordering == "strict" and len(steps) > total:
        score = max(0.0, score - PER_EXTRA * (len(steps) - total) / total)
    if not allow_repeated:
        score = max(0.0, score - PER_REPEAT * len(repeated(steps, route)))
    return round2(min(score, 1.0))


def places(steps: Steps, route: Route, ordering: str) -> Places:
    """For each step of a route the place of the step that meets it, or None."""
    return _WAYS.get(ordering, _relaxed)(steps, route)


def compare(steps: Steps, route: Route, ordering: str) -> Comparison:
    """What steps have and lack of a route."""
    met = places(steps, route, ordering)
    missing = [name for name, place in zip(route.names, met, strict=True) if place is None]
    taken = {step.name for step in steps}
    if ordering == "strict":
        right = set(met)
        astray = [s.name for i, s in enumerate(steps) if i not in right and s.name in route.known]
    else:
        astray = [] if ordering == "unordered" else [name for name in missing if name in taken]
    extra = [step.name for step in steps if step.name not in route.known]
    again = repeated(steps, route) if route.steps else []
    return Comparison(len(met) - len(missing), missing, extra, astray, again)


def repeated(steps: Steps, route: Route) -> list[str]:
    """Names that occur more than once, and more often than the route asks for."""
    if len(steps) == len({step.name for step in steps}):
        return []
    asked = Counter(route.names)
    counts = Counter(step.name for step in steps)
    return [name for name, count in counts.items() if count > max(1, asked[name])]


def _relaxed(steps: Steps, route: Route) -> Places:
    """In order, others between: each takes the first that meets it after the last one taken."""
    index, last = _index(steps, route), -1
    met: Places = []
    for asked in route.steps:
        meeting = index[asked.shape].get(asked.key, [])
        later = bisect_right(meeting, last)
        if later < len(meeting):
            last = meeting[later]
        met.append(last if later < len(meeting) else None)
    return met


def _strict(steps: Steps, route: Route) -> Places:
    """Place by place."""
    pairs = zip(steps, route.steps, strict=False)
    meets = [key_of(step, asked.shape) == asked.key for step, asked in pairs]
    rest = [None] * (len(route.steps) - len(meets))
    return [place if met else None for place, met in enumerate(meets)] + rest


def _unordered(steps: Steps, route: Route) -> Places:
    """In any order: each takes the first that meets it and was not taken."""
    index = _index(steps, route)
    rest = {shape: {key: iter(at) for key, at in found.items()} for shape, found in index.items()}
    taken: set[int] = set()
    met: Places = []
    for asked in route.steps:
        meeting = rest[asked.shape].get(asked.key, ())
        place = next((at for at in meeting if at not in taken), None)
        met.append(place)
        if place is not None:
            taken.add(place)
    return met


def _index(steps: Steps, route: Route) -> dict[Shape, dict[Key, list[int]]]:
    """By shape and key, the places of the steps that have it."""
    index: dict[Shape, dict[Key, list[int]]] = {}
    known = [(place, step) for place, step in enumerate(steps) if step.name in route.known]
    for shape in route.shapes:
        found = index[shape] = {}
        for place, step in known:
            found.setdefault(key_of(step, shape), []).append(place)
    return index


_WAYS: Final[dict[str, Callable[[Steps, Route], Places]]] = {
    "strict": _strict,
    "unordered": _unordered,
}
