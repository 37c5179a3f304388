"""The scores of the original package, row by row, but for the departures that we mean."""

import json
from pathlib import Path

import pytest

from batcheval.engine import score
from batcheval.readers import read_traces
from batcheval.suite import load_suite

FOLDERS = Path(__file__).parent / "data" / "parity"


MEANS = {"completeness": 0.02}  # edge cases, where the original's own tagger decides


@pytest.mark.parametrize("name", ["quick", "quick-cases", "scorers", "scorers-cases"])
def test_nothing_is_wrong(name: str) -> None:
    folder = FOLDERS / name
    scorers = load_suite(folder / "suite.toml").scorers
    scores = score(read_traces(folder / "traces.jsonl"), scorers).collect(engine="streaming")
    got = {row["trace_id"]: row for row in scores.iter_rows(named=True)}
    lines = (folder / "expected.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n")
    rows = [json.loads(line) for line in lines]
    expected = [
        (row["trace_id"], scorer, value) for row in rows for scorer, value in row["scores"].items()
    ]
    wrong = [
        (trace, scorer, got[trace][scorer], value)
        for trace, scorer, value in expected
        if scorer not in MEANS and got[trace][scorer] != pytest.approx(value, abs=1e-9)
    ]
    assert len(expected) >= 73
    assert wrong == []
    for name, most in MEANS.items():
        apart = [
            abs(got[trace][name] - value) for trace, scorer, value in expected if scorer == name
        ]
        assert sum(apart) <= most * len(apart)
