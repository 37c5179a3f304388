"""Gates and verdicts, among them those of the original's own experiments."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from batcheval import compare, judge, summarize
from batcheval.errors import BatchevalError
from batcheval.judging import judge_regressions
from batcheval.report import gate_lines
from batcheval.suite.gates import Gate
from batcheval.summary import summarize_by
from tests.command import Command

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


# Gates on slices.

CITIES = ["Bern"] * 4 + ["Lyon"] * 2 + [None] * 3
RIGHT = [1.0, 1.0, 1.0, 0.0, 1.0, 1.0, None, 0.0, 0.0]


def by_city(**columns: list[Any]) -> pl.DataFrame:
    rows = {"trace_id": [str(n) for n in range(9)], "city": CITIES, "s": RIGHT, **columns}
    return pl.DataFrame(rows, schema_overrides={"s": pl.Float64})


def in_slices(gate: Gate) -> tuple[str | None, list[tuple[str, bool, str | None, str | None]]]:
    scores = by_city()
    slices = summarize_by(scores, gate.by)
    found = judge(summarize(scores), {"s": gate}, slices)
    return found.verdict, [(g.key, g.passed, g.column, g.value) for g in found.gates]


def test_each_slice_must_hold() -> None:
    assert in_slices(Gate(min=0.6, by=("city",))) == (
        "scored",
        [
            ("min", True, None, None),
            ("min", True, "city", "Bern"),
            ("min", True, "city", "Lyon"),
            ("min", False, "city", None),
        ],
    )
    assert in_slices(Gate(every=True, by=("city",)))[0] == "failed"
    assert in_slices(Gate(max=1.0, min_scored=1, by=("city",)))[0] == "passed"
    assert in_slices(Gate(min_scored=0.8, by=("city",)))[1][-1] == (
        "min_scored",
        False,
        "city",
        None,
    )


def test_a_misspelt_path_of_slices_is_no_pass() -> None:
    slices = summarize_by(by_city(ciyt=[None] * 9), ["ciyt"])
    found = judge(summarize(by_city()), {"s": Gate(min=0.1, by=("ciyt",))}, slices)
    assert found.verdict == "scored"
    assert found.gates[-1].found == "no trace has 'ciyt', by which it is to be judged"


def test_slices_that_are_small_are_not_judged_but_told() -> None:
    verdict, gates = in_slices(Gate(min=0.6, by=("city",), min_slice_size=4))
    assert verdict == "passed"
    assert gates[1:] == [("min", True, "city", "Bern"), ("min_slice_size", True, "city", None)]
    verdict, gates = in_slices(Gate(min=0.1, by=("city",), min_slice_size=5))
    assert verdict == "scored"  # nothing judged is never a pass
    assert gates[1:] == [("min_slice_size", False, "city", None)]
    lone = judge(summarize(by_city()), {"s": Gate(min=0.1, by=("city",))})
    assert lone.verdict == "scored"  # nobody summed the slices up


def test_a_scorer_that_the_scores_lack_is_no_pass() -> None:
    found = judge(summarize(by_city()), {"x": Gate(min=0.0)})
    assert (found.verdict, found.gates[0].found) == (
        "scored",
        "nothing was scored, and should be at least 0.0",
    )


def test_regressions_of_slices() -> None:
    better = by_city(s=[1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0])
    found = compare(by_city(), better, by="city", resamples=0)
    gates = {"s": Gate(max_regression=0.1, by=("city",), min_slice_size=2)}
    judged = judge_regressions(found.scorers, gates, slices=found.slices)
    shown = [(g.passed, g.column, g.value) for g in judged.gates]
    assert shown == [
        (True, None, None),
        (True, "city", "Bern"),
        (False, "city", "Lyon"),
        (True, "city", None),
    ]
    assert gate_lines(judged) == [
        "passed  s: rose by 0.125 (estimate), and may fall by 0.1",
        "missed  s, city = Lyon: fell by 0.500 (estimate), and may fall by 0.1",
        "passed  s: max_regression in 2 of 3 slices by city",
        "verdict: scored",
    ]


def test_many_slices_that_miss_are_cut() -> None:
    rows = {"trace_id": range(15), "n": range(15), "s": [0.0] * 15}
    scores = pl.DataFrame(rows)
    gates = {"s": Gate(min=0.5, by=("n",))}
    lines = gate_lines(judge(summarize(scores), gates, summarize_by(scores, ["n"])))
    assert len(lines) == 1 + 10 + 1 + 1
    assert lines[-2] == "missed  s, 5 more slices by n"


@pytest.mark.parametrize("long", [False, True])
def test_slices_sum_up_as_their_rows_alone_do(long: bool) -> None:
    scores = by_city().with_columns(t=pl.lit(0.5))
    table = scores.unpivot(on=["s", "t"], index=["trace_id", "city"], variable_name="scorer",
                           value_name="score") if long else scores  # fmt: skip
    found = summarize_by(table, ["city"], ["t", "s"])
    for value in ("Bern", "Lyon", None):
        part = scores.filter(pl.col("city").eq_missing(pl.lit(value, pl.String)))
        mine = found.filter(pl.col("value").eq_missing(pl.lit(value, pl.String)))
        assert_frame_equal(mine.drop("column", "value"), summarize(part, ["t", "s"]))
    with pytest.raises(BatchevalError, match="by reads 'town'"):
        summarize_by(table, ["town"])
    many = pl.DataFrame({"trace_id": range(1_001), "s": [1.0] * 1_001})
    with pytest.raises(BatchevalError, match="at most 1,000 values"):
        summarize_by(many, ["trace_id"])


SUITE = """
[scorers.right]
check = "includes"
expected = "yes"
[gates.right]
min = 0.5
by = "metadata.city"
min_slice_size = 2
max_regression = 0.3
"""


@pytest.mark.parametrize("out", ["s.parquet", "s.jsonl", "s.csv"])
@pytest.mark.parametrize("long", [[], ["--long"]])
def test_gates_on_slices_by_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Command, out: str, long: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    said = {"Bern": ["yes"] * 4, "Lyon": ["no", "no", "yes"], "Oslo": ["no"]}
    for name, lyon in (("old", "yes"), ("new", "no")):
        lines = [
            {"trace_id": f"{c}{n}", "output": lyon if c == "Lyon" else s, "metadata": {"city": c}}
            for c, texts in said.items()
            for n, s in enumerate(texts)
        ]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        Path(f"{name}.jsonl").write_text(text)
    Path("suite.toml").write_text(SUITE)
    ended = run("score", "new.jsonl", "-s", "suite.toml", "-o", out, "-q", *long)
    assert ended.code == 1
    assert ended.out.splitlines() == [
        "passed  right: mean 0.500, and should be at least 0.5",
        "missed  right, metadata.city = Lyon: mean 0.000, and should be at least 0.5",
        "passed  right: min in 1 of 2 slices by metadata.city",
        "passed  right: 1 of 3 slices by metadata.city are of fewer than 2, and were not judged",
        "verdict: scored",
    ]
    if long or out != "s.parquet":
        return
    both = run("compare", "old.jsonl", "new.jsonl", "-s", "suite.toml", "--resamples", "0")
    assert both.code == 1
    assert both.err.splitlines()[:4] == ended.out.splitlines()[:4]
    assert both.err.splitlines()[4:] == [
        "missed  right: fell by 0.375 (estimate), and may fall by 0.3",
        "missed  right, metadata.city = Lyon: fell by 1.000 (estimate), and may fall by 0.3",
        "passed  right: max_regression in 1 of 2 slices by metadata.city",
        "verdict: scored",
    ]
    assert "metadata.city = Lyon" in both.out
    good = run("compare", "new.jsonl", "old.jsonl", "-s", "suite.toml", "--resamples", "0")
    assert (good.code, good.err.splitlines()[-1]) == (0, "verdict: passed")
