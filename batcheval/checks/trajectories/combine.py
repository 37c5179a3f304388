"""All that is expected of a run, judged and put together into one score."""

from collections.abc import Sequence
from math import floor
from typing import Final, NamedTuple, TypeAlias

from batcheval.checks.trajectories.blacklist import blacklisted
from batcheval.checks.trajectories.compare import accuracy, places
from batcheval.checks.trajectories.efficiency import efficiency
from batcheval.checks.trajectories.expectations import Expectation
from batcheval.checks.trajectories.failures import retried, tool_failures
from batcheval.checks.trajectories.rules import DEFAULT_WEIGHTS
from batcheval.checks.trajectories.steps import Run

Weights: TypeAlias = Sequence[float]  # of accuracy, efficiency, tool failures and blacklist

OWN_SHARE, NESTED_SHARE = 0.7, 0.3


class Judgement(NamedTuple):
    """The score of a run and of its parts; None for what was not asked for."""

    score: float
    accuracy: float | None
    efficiency: float | None
    tool_failures: float
    blacklist: float | None
    nested: float | None
    is_barred: bool  # something blacklisted occurs, here or in a step below


def judge(run: Run, expected: Expectation, weights: Weights = DEFAULT_WEIGHTS) -> Judgement:
    """Judge a run, and the steps below its steps by what is expected of those.

    A blacklisted step anywhere scores 0.0. Otherwise the score is the mean of the parts that were
    asked for, by their weights; tool failures weigh only where a tool was called again after a
    failure. What is expected of children has three tenths of the score, where there is any.

    Raises:
        UnscoredError: the run lacks evidence that a limit needs.
    """
    right = accuracy_of(run, expected)
    thrift = efficiency(run, expected)
    again = retried(run.steps)
    calm = tool_failures(again, expected.most_retries) if again else 1.0
    hits = blacklisted(run.steps, expected)
    clean = None if hits is None else float(not hits)
    score = _mean((right, thrift, calm if again else None, clean), weights)
    below = _nested(run, expected, weights)
    nested = sum(found.score for found in below) / len(below) if below else None
    if nested is not None:
        score = OWN_SHARE * score + NESTED_SHARE * nested
    is_barred = bool(hits) or any([found.is_barred for found in below])
    score = 0.0 if is_barred else floor(score * 100 + 0.5) / 100
    return Judgement(score, right, thrift, calm, clean, nested, is_barred)


def accuracy_of(run: Run, expected: Expectation) -> float | None:
    """How well a run keeps to the steps that are expected of it, if any are."""
    if expected.steps is None:
        return None
    allow_repeated = expected.allow_repeated_steps is not False
    return accuracy(run.steps, expected.steps, expected.order, allow_repeated)


def _mean(parts: Sequence[float | None], weights: Weights) -> float:
    told = [(part, weight) for part, weight in zip(parts, weights) if part is not None]  # noqa: B905
    total = sum([weight for _, weight in told])
    return sum([weight / total * part for part, weight in told]) if total else 1.0


_MISSED: Final = Judgement(0.0, None, None, 1.0, None, None, False)


def _nested(run: Run, expected: Expectation, weights: Weights) -> list[Judgement]:
    """What is expected of children, each of the first step of that name that was not used yet."""
    route = expected.steps.parents if expected.steps else None
    if route is None:
        return []
    found = []
    for asked, place in zip(route.steps, places(run.steps, route, "unordered"), strict=True):
        if place is None or asked.children is None:
            found.append(_MISSED)
        else:
            step = run.steps[place]
            found.append(judge(Run(step.children(), step.duration), asked.children, weights))
    return found
