"""Gates and verdicts, among them those of the original's own experiments."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from batcheval import judge, summarize
from batcheval.judging import judge_regressions
from batcheval.suite.gates import Gate

CASES = Path(__file__).parent / "data" / "parity" / "verdicts.jsonl"
# Scores above 1 do not exist here, colliding ids are an error, nothing scored is never a pass.
DEPARTURES = {"gate-above-one-compensates", "gate-same-id-twice", "gate-same-id-twice-both-pass"}


def custom(case: dict[str, Any]) -> tuple[pl.DataFrame, dict[str, Gate], list[Any]] | None:
    """The scores and gates of a case whose scorers give values in turn; None for another."""
    entries = [(gate, True) for gate in case.get("gates") or []]
    scorers = case.get("scorers") or []
    entries += [(entry, entry.get("threshold")) for entry in scorers if isinstance(scorers, list)]
    if not entries or any("turns" in item for item in case["data"]):
        return None
    columns, gates = {}, {}
    for entry, asked in entries:
        scorer = entry.get("scorer_entry", entry)
        if "custom" not in scorer:
            return None
        given = [1.0 * v if isinstance(v, int | float) else None for v in scorer["custom"]]
        columns[scorer["id"]] = [given[n % len(given)] for n in range(len(case["data"]))]
        if asked is True:
            gates[scorer["id"]] = Gate(every=True)
        elif asked is not None:
            bounds = asked if isinstance(asked, dict) else {"min": asked}
            gates[scorer["id"]] = Gate(**bounds)
    rows = {"trace_id": [str(n) for n in range(len(case["data"]))], **columns}
    return pl.DataFrame(rows, schema_overrides=dict.fromkeys(columns, pl.Float64)), gates, given


def readable() -> list[dict[str, Any]]:
    cases = [json.loads(line) for line in CASES.read_text().splitlines()]
    kept = [c for c in cases if c["id"] not in DEPARTURES and "result" in c["expected"]]
    return [case for case in kept if custom(case)]


@pytest.mark.parametrize("case", readable(), ids=lambda case: case["id"])
def test_verdicts_of_the_original(case: dict[str, Any]) -> None:
    found = custom(case)
    assert found is not None
    scores, gates, given = found
    result = case["expected"]["result"]
    verdict = judge(summarize(scores), gates).verdict
    if gates and not any(value is not None for value in given):
        assert verdict in ("failed", "scored")  # ours: nothing scored is never a pass
    else:
        assert verdict == result.get("verdict")


def test_the_cases_are_there() -> None:
    assert len(readable()) >= 10


def scored(*values: float | None) -> pl.DataFrame:
    ids = [str(n) for n in range(len(values))]
    return summarize(pl.DataFrame({"trace_id": ids, "s": pl.Series(values, dtype=pl.Float64)}))


@pytest.mark.parametrize(
    ("values", "gate", "verdict"),
    [
        ((1.0, 1.0), Gate(every=True), "passed"),
        ((1.0, 0.999999), Gate(every=True), "failed"),
        ((1.0, None), Gate(every=True), "passed"),
        ((None, None), Gate(every=True), "failed"),
        ((0.5, 0.7), Gate(min=0.6), "passed"),
        ((0.5, 0.7), Gate(min=0.61), "scored"),
        ((None,), Gate(min=0.0), "scored"),
        ((0.5, 0.7), Gate(max=0.6), "passed"),
        ((0.5, 0.7), Gate(max=0.59), "scored"),
        ((None,), Gate(max=1.0), "scored"),
        ((1.0, None), Gate(min_scored=1), "passed"),
        ((1.0, None), Gate(min_scored=2), "scored"),
        ((1.0, None), Gate(min_scored=0.5), "passed"),
        ((1.0, None), Gate(min_scored=0.51), "scored"),
        ((0.0, 0.0), Gate(every=True, min=0.5), "failed"),
        ((1.0,), Gate(max_regression=0.1), None),
    ],
)
def test_gates(values: tuple[float | None, ...], gate: Gate, verdict: str | None) -> None:
    assert judge(scored(*values), {"s": gate}).verdict == verdict


@pytest.mark.parametrize(
    ("difference", "low", "by", "verdict"),
    [
        (-0.02, -0.05, "estimate", "passed"),
        (-0.021, -0.05, "estimate", "scored"),
        (-0.02, -0.05, "interval", "scored"),
        (0.1, -0.01, "interval", "passed"),
        (None, None, "estimate", "scored"),
    ],
)
def test_regressions(difference: Any, low: Any, by: Any, verdict: str) -> None:
    table = pl.DataFrame({"scorer": ["s"], "difference": [difference], "low": [low]})
    assert judge_regressions(table, {"s": Gate(max_regression=0.02)}, by).verdict == verdict
    assert (
        judge_regressions(table.clear(), {"s": Gate(max_regression=0.02)}, by).verdict == "scored"
    )
    assert judge_regressions(table, {"s": Gate(min=0.5)}, by).verdict is None
