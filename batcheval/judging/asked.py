"""What a gate asks, held against one row: of the whole run, or of a slice."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

from batcheval.judging.outcome import Judged
from batcheval.suite.gates import Gate

Row: TypeAlias = Mapping[str, Any]
RegressionBy: TypeAlias = Literal["estimate", "interval"]


def held(name: str, row: Row, gate: Gate) -> Iterable[Judged]:
    """Hold the scores of a run, a row of its summary, against a gate."""
    scored, rows, mean = row["scored"], row["scored"] + row["unscored"], row["mean"]
    said = "nothing was scored" if mean is None else f"mean {mean:.3f}"
    if gate.every:
        share = "nothing was scored" if mean is None else f"{row['full']:.1%} have 1.0"
        passed = mean is not None and row["full"] == 1.0
        yield Judged(name, "every", passed, f"{share}, and every trace should")
    if gate.min is not None:
        passed = mean is not None and mean >= gate.min
        yield Judged(name, "min", passed, f"{said}, and should be at least {gate.min}")
    if gate.max is not None:
        passed = mean is not None and mean <= gate.max
        yield Judged(name, "max", passed, f"{said}, and should be at most {gate.max}")
    if (least := gate.min_scored) is not None:
        reached = scored >= least if isinstance(least, int) else rows and scored / rows >= least
        wanted = f"{least:,}" if isinstance(least, int) else f"{least:.1%}"
        found = f"{scored:,} of {rows:,} scored, and {wanted} should be"
        yield Judged(name, "min_scored", bool(reached), found)


def regression(name: str, row: Row, gate: Gate, by: RegressionBy) -> Iterable[Judged]:
    """Hold a row of a comparison against the `max_regression` of a gate."""
    change = row.get("difference" if by == "estimate" else "low")
    if change is None:
        yield Judged(name, "max_regression", False, "no pairs, and so no comparison")
        return
    fell = f"fell by {-change:.3f}" if change < 0 else f"rose by {change:.3f}"
    said = f"{fell} ({by}), and may fall by {gate.max_regression}"
    yield Judged(name, "max_regression", -change <= (gate.max_regression or 0), said)
