"""What was measured of two sides, and the table of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

HEAD = ("check", "peer", "version", "its rows/s", "ours", "ratio", "goal", "equal values")
RULE = ("---", "---", "---", "---:", "---:", "---:", "---", "---:")

Values = Sequence[float | None]


@dataclass(frozen=True)
class Side:
    """The runs of one check of one library, each as `run.py` prints it."""

    runs: tuple[dict[str, Any], ...]

    @property
    def rate(self) -> float:
        """Rows a CPU second, the median of the runs."""
        return float(median(run["rows"] / run["cpu"] for run in self.runs))

    @property
    def values(self) -> list[float | None]:
        return list(self.runs[0]["values"])


def agreeing(ours: Values, theirs: Values) -> int:
    """How many places of both hold the same, numbers within a millionth."""
    return sum(map(same, ours, theirs))


def same(one: float | None, other: float | None) -> bool:
    return one is other if one is None or other is None else abs(one - other) <= 1e-6


def within(values: Values, least: float, most: float) -> list[float | None]:
    """Counts as the scores of a check that holds them against limits."""
    return [None if value is None else float(least <= value <= most) for value in values]


def row(
    check: str, peer: tuple[str, str], goal: float, theirs: Side, ours: Side
) -> tuple[str, ...]:
    """A line of the table; `peer` is a name and a version."""
    ratio = ours.rate / theirs.rate
    told = f"{goal:g}: {'met' if ratio >= goal else 'MISSED'}"
    shared = min(len(theirs.values), len(ours.values))
    equal = f"{agreeing(ours.values, theirs.values)} of {shared}"
    rates = f"{theirs.rate:,.0f}", f"{ours.rate:,.0f}"
    return check, *peer, *rates, f"{ratio:,.1f}", told, equal


def as_markdown(line: tuple[str, ...]) -> str:
    return f"| {' | '.join(line)} |"
