"""Whether a run kept within its limits and made no call twice in a row."""

from itertools import pairwise
from typing import Final

from batcheval.checks.trajectories.compare import Steps, round2
from batcheval.checks.trajectories.expectations import Expectation
from batcheval.checks.trajectories.names import TOOL_TYPES
from batcheval.checks.trajectories.steps import Run, UnscoredError, sources
from batcheval.checks.trajectories.values import is_count

PER_REDUNDANT: Final = 0.2


def efficiency(run: Run, expected: Expectation) -> float | None:
    """The mean of a score for each limit and one for redundant calls, in 0..1; None if none is set.

    A limit that is kept scores 1.0; beyond it the score falls, to 0.0 at twice the limit. Any limit
    has redundant calls looked for as well, unless `no_redundant_calls` is false.

    Raises:
        UnscoredError: there is a limit on tokens or time, and the run does not tell its own.
    """
    scores: list[float] = []
    if expected.max_steps is not None:
        scores.append(_within(len(run.steps), expected.max_steps))
    if expected.max_total_tokens is not None:
        scores.append(_within(tokens(run.steps), expected.max_total_tokens))
    if expected.max_total_duration_ms is not None:
        scores.append(_within(duration(run), expected.max_total_duration_ms))
    if expected.looks_for_redundancy:
        scores.append(max(0.0, 1 - PER_REDUNDANT * redundant(run)))
    return round2(sum(scores) / len(scores)) if scores else None


def _within(used: float, limit: float) -> float:
    if used <= limit:
        return 1.0
    return max(0.0, 1 - (used - limit) / limit) if limit else 0.0


def tokens(steps: Steps) -> float:
    """The tokens of all model generations, however deep.

    Raises:
        UnscoredError: there is none, or one without a count.
    """
    counts = [
        source.get(key)
        for source in sources(steps)
        if source.get("step_type") == "model_generation"
        for key in ("prompt_tokens", "completion_tokens")
    ]
    return _total(counts)


def duration(run: Run) -> float:
    """The duration of a run, or that of its steps together.

    Raises:
        UnscoredError: neither is known.
    """
    return _total([step.duration for step in run.steps] if run.duration is None else [run.duration])


def _total(counts: list[object]) -> float:
    if not counts or not all(map(is_count, counts)):
        raise UnscoredError("the evidence is not there")
    return sum(counts)  # type: ignore[arg-type]


def redundant(run: Run) -> int:
    """How many tool calls are the same as the step before them."""
    if run.redundant is not None:
        return run.redundant
    return sum(
        one.name == other.name
        and one.type == other.type
        and one.type in TOOL_TYPES
        and one.fields.get("tool_args") == other.fields.get("tool_args")
        for one, other in pairwise(run.steps)
    )
