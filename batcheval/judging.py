"""Whether a run reached what its suite's gates ask."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import polars as pl

from batcheval.suite.gates import Gate

Outcome: TypeAlias = Literal["passed", "scored", "failed"]
RegressionBy: TypeAlias = Literal["estimate", "interval"]

_WEIGHT: Final[dict[str, Outcome]] = {"every": "failed"}  # whatever else is missed: "scored"


class Judged(NamedTuple):
    """One thing that a gate asks, and what was found.

    Attributes:
        scorer: the id of the scorer.
        key: what is asked: `every`, `min`, `max`, `min_scored` or `max_regression`.
        passed: whether it was reached; never where nothing was scored.
        found: what was found, and what was asked, in words.
    """

    scorer: str
    key: str
    passed: bool
    found: str


class Judgement(NamedTuple):
    """What became of all gates.

    Attributes:
        gates: each thing that was asked, in the order of the suite.
        verdict: `failed` if an `every` gate failed, else `scored` if another was missed, else
            `passed`; None where nothing was asked.
    """

    gates: list[Judged]
    verdict: Outcome | None


def judge(summary: pl.DataFrame, gates: Mapping[str, Gate]) -> Judgement:
    """Hold the scores of a run against gates.

    `max_regression` needs a base to be held against: see `judge_regressions`.

    Args:
        summary: one row a scorer, as `summarize` gives it.
        gates: by scorer id, as `load_suite(...).gates` has them.

    Example:
        >>> from batcheval import summarize
        >>> scores = pl.DataFrame({"trace_id": ["a", "b"], "polite": [1.0, 0.5]})
        >>> found = judge(summarize(scores), {"polite": Gate(every=True, min=0.7)})
        >>> found.verdict, [(gate.key, gate.passed) for gate in found.gates]
        ('failed', [('every', False), ('min', True)])

    Source: the verdict of Mastra's `runEvals`, save that what was not scored never passes.
    """
    rows = {row["scorer"]: row for row in summary.to_dicts()}
    return _judgement(
        judged for name, gate in gates.items() for judged in _held(name, rows[name], gate)
    )


def judge_regressions(
    scorers: pl.DataFrame, gates: Mapping[str, Gate], by: RegressionBy = "estimate"
) -> Judgement:
    """Hold the `max_regression` of gates against a comparison.

    Args:
        scorers: one row a scorer, as `compare(...).scorers` has it.
        gates: by scorer id.
        by: whether the estimate of the difference decides, or the worse end of its interval.

    Example:
        >>> row = {"scorer": "polite", "n": 9, "difference": -0.05, "low": -0.09, "high": 0.0}
        >>> found = judge_regressions(pl.DataFrame([row]), {"polite": Gate(max_regression=0.06)})
        >>> found.verdict, found.gates[0].found
        ('passed', 'fell by 0.050 (estimate), and may fall by 0.06')
    """
    rows = {row["scorer"]: row for row in scorers.to_dicts()}
    asked = {name: gate for name, gate in gates.items() if gate.max_regression is not None}
    return _judgement(_regression(name, rows.get(name), gate, by) for name, gate in asked.items())


def _judgement(judged: Iterable[Judged]) -> Judgement:
    found = list(judged)
    missed = {_WEIGHT.get(gate.key, "scored") for gate in found if not gate.passed}
    if not found:
        return Judgement(found, None)
    return Judgement(found, "failed" if "failed" in missed else "scored" if missed else "passed")


def _held(name: str, row: Mapping[str, Any], gate: Gate) -> Iterable[Judged]:
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


def _regression(name: str, row: Mapping[str, Any] | None, gate: Gate, by: RegressionBy) -> Judged:
    change = None if row is None else row["difference" if by == "estimate" else "low"]
    if change is None:
        return Judged(name, "max_regression", False, "no pairs, and so no comparison")
    fell = f"fell by {-change:.3f}" if change < 0 else f"rose by {change:.3f}"
    said = f"{fell} ({by}), and may fall by {gate.max_regression}"
    return Judged(name, "max_regression", -change <= (gate.max_regression or 0), said)
