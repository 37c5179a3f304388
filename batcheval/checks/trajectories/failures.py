"""Tools that a run called again and again because they failed."""

from itertools import groupby
from typing import Final, NamedTuple

from batcheval.checks.trajectories.compare import Steps, round2
from batcheval.checks.trajectories.names import TOOL_TYPES

PER_RETRY: Final = 0.2


class Retried(NamedTuple):
    """A tool that was called again after a failure, and how often."""

    name: str
    retries: int


def retried(steps: Steps) -> list[Retried]:
    """The tools that failed and were called again at once, with other kinds of steps left out."""
    if True not in [step.failed for step in steps]:
        return []
    calls = [step for step in steps if step.type in TOOL_TYPES]
    runs = ((name, list(run)) for name, run in groupby(calls, key=lambda step: step.name))
    counts = [Retried(name, sum(step.failed for step in run[:-1])) for name, run in runs]
    return [found for found in counts if found.retries]


def tool_failures(found: list[Retried], most: float) -> float:
    """1.0, less 0.2 for each retry beyond `most` in a row."""
    beyond = sum(max(0.0, tool.retries - most) for tool in found)
    return round2(max(0.0, 1 - PER_RETRY * beyond))
