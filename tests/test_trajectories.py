"""The checks of whole runs: their slow twin, their mistakes, their evidence, and the original."""

import json
import math
import time
import tomllib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batcheval.checks import tool_call_accuracy, trajectory, trajectory_accuracy
from batcheval.checks.trajectories import verdicts
from batcheval.engine import score
from batcheval.errors import (
    BadArgumentError,
    BatchevalError,
    BlankArgumentError,
    MissingArgumentError,
)
from batcheval.readers import read_traces
from batcheval.schema import canonical
from batcheval.scorer import Scorer
from batcheval.suite.binding import make_scorer
from tests.cases import Case, Trace, frame, trace
from tests.cases.trajectories import DETAILS, EXAMPLES

FOLDERS = Path(__file__).parent / "data" / "parity"
MINE = {"tool_call_accuracy", "trajectory", "trajectory_accuracy"}
Steps = list[dict[str, Any]]


# --- the twin, straight from the description: one run at a time, nothing shared


def round2(number: float) -> float:
    return math.floor((number + 2**-52) * 100 + 0.5) / 100


def same(one: Any, other: Any) -> bool:
    """Equal as JSON values: 1 is 1.0, true is not 1, keys come in any order."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def meets(step: dict[str, Any], asked: dict[str, Any]) -> bool:
    kind = asked.get("step_type")
    if step["name"] != asked["name"] or (kind and kind != step.get("step_type")):
        return False
    keys = ["tool_args"]
    keys += ["tool_result", "success"] if kind in (None, "tool_call", "mcp_tool_call") else []
    keys += ["model_id", "prompt_tokens"] if kind == "model_generation" else []
    return all(k not in asked or (k in step and same(step[k], asked[k])) for k in keys)


def twin_accuracy(steps: Steps, asked: Steps, ordering: str, allow_repeated: bool) -> float:
    if not asked:
        return float(not steps)
    matched = 0
    if ordering == "strict":
        matched = sum(map(meets, steps, asked))
    elif ordering == "unordered":
        rest = list(steps)
        for wanted in asked:
            found = next((i for i, step in enumerate(rest) if meets(step, wanted)), None)
            if found is not None:
                rest.pop(found)
                matched += 1
    else:
        start = 0
        for wanted in asked:
            at = next((i for i in range(start, len(steps)) if meets(steps[i], wanted)), None)
            if at is not None:
                matched, start = matched + 1, at + 1
    value = matched / len(asked)
    if ordering == "strict":
        value = max(0, value - 0.5 * max(0, len(steps) - len(asked)) / len(asked))
    if not allow_repeated:
        names, wanted_names = [s["name"] for s in steps], [s["name"] for s in asked]
        again = {n for n in names if names.count(n) > max(1, wanted_names.count(n))}
        value = max(0, value - 0.1 * len(again))
    return round2(min(1, value))


def twin_efficiency(steps: Steps, asked: dict[str, Any]) -> float | None:
    limits = [asked.get(k) for k in ("max_steps", "max_total_tokens", "max_total_duration_ms")]
    redundancy = asked.get("no_redundant_calls")
    values: list[float] = []
    used: list[Any] = [
        len(steps),
        sum(s["prompt_tokens"] for s in steps if s["step_type"] == "model_generation"),
        sum(s["duration_ms"] for s in steps),
    ]
    for limit, amount in zip(limits, used, strict=True):
        if limit is not None:
            over = (amount - limit) / limit if limit else math.inf
            values.append(1 if amount <= limit else max(0, 1 - over))
    if redundancy or (redundancy is None and limits != [None] * 3):
        count = 0
        for one, other in pairwise(steps):
            is_tool = one["step_type"] in ("tool_call", "mcp_tool_call")
            alike = one["name"] == other["name"] and one["step_type"] == other["step_type"]
            args = [s.get("tool_args") for s in (one, other)]
            count += is_tool and alike and same(*args)
        values.append(max(0, 1 - 0.2 * count))
    return round2(sum(values) / len(values)) if values else None


def twin_failures(steps: Steps, most: int) -> float | None:
    """None where no tool was retried."""
    tools = [s for s in steps if s["step_type"] in ("tool_call", "mcp_tool_call")]
    runs: list[Steps] = []
    for step in tools:
        if runs and runs[-1][0]["name"] == step["name"]:
            runs[-1].append(step)
        else:
            runs.append([step])
    retries = [sum(step.get("success") is False for step in run[:-1]) for run in runs]
    retries = [count for count in retries if count]
    beyond = sum(max(0, count - most) for count in retries)
    return round2(max(0, 1 - 0.2 * beyond)) if retries else None


def twin_blacklist(steps: Steps, asked: dict[str, Any]) -> float | None:
    tools, sequences = asked.get("blacklisted_tools"), asked.get("blacklisted_sequences")
    if not tools and not sequences:
        return None
    names = [step["name"] for step in steps]
    hit = any(name in (tools or []) for name in names)
    for found in sequences or []:
        starts = range(len(names) - len(found) + 1)
        hit |= bool(found) and any(names[i : i + len(found)] == found for i in starts)
    return float(not hit)


def twin(steps: Steps, asked: dict[str, Any]) -> tuple[float, bool]:
    route = asked.get("steps")
    order, repeats = asked.get("ordering", "relaxed"), asked.get("allow_repeated_steps", True)
    parts = [
        None if route is None else twin_accuracy(steps, route, order, repeats),
        twin_efficiency(steps, asked),
        twin_failures(steps, asked.get("max_retries_per_tool", 2)),
        twin_blacklist(steps, asked),
    ]
    present = [(p, w) for p, w in zip(parts, (0.4, 0.3, 0.2, 0.1), strict=True) if p is not None]
    total = sum(w for _, w in present)
    value = sum(w / total * p for p, w in present) if present else 1.0
    barred, nested, used = parts[3] == 0, [], set()
    for wanted in route or []:
        if "children" in wanted:
            bare = {k: wanted[k] for k in ("name", "step_type") if k in wanted}
            fits = [i for i, s in enumerate(steps) if i not in used and meets(s, bare)]
            used |= set(fits[:1])
            below = (
                twin(steps[fits[0]].get("children", []), wanted["children"]) if fits else (0, False)
            )
            nested.append(below[0])
            barred |= below[1]
    if nested:
        value = 0.7 * value + 0.3 * (sum(nested) / len(nested))
    return (0.0 if barred else math.floor(value * 100 + 0.5) / 100), barred


# --- random runs over few names

NAMES = st.sampled_from(["a", "b", "c"])
ARGS = st.sampled_from(
    [{}, {"q": 1}, {"q": 1.0}, {"q": True}, {"q": 2, "r": [1]}, {"r": [1], "q": 2}]
)
TYPES = st.sampled_from(["tool_call", "mcp_tool_call", "model_generation", "agent_run"])
_OPTIONAL = {"tool_args": ARGS, "success": st.booleans(), "model_id": st.just("m")}
_NEEDED = {"name": NAMES, "prompt_tokens": st.integers(0, 9), "completion_tokens": st.just(0)}
FLAT = st.fixed_dictionaries(
    {**_NEEDED, "step_type": TYPES, "duration_ms": st.integers(0, 5)}, optional=_OPTIONAL
)
STEP = st.builds(lambda s, below: {**s, "children": below}, FLAT, st.lists(FLAT, max_size=3))
ASKED_FLAT = st.fixed_dictionaries(
    {"name": NAMES},
    optional={"step_type": TYPES, "tool_args": ARGS, "success": st.booleans()},
)
LISTS = st.lists(NAMES, max_size=2)
LIMITS = {
    "ordering": st.sampled_from(["relaxed", "strict", "unordered"]),
    "allow_repeated_steps": st.booleans(),
    "max_steps": st.integers(0, 5),
    "max_total_duration_ms": st.integers(0, 9),
    "no_redundant_calls": st.booleans(),
    "blacklisted_tools": st.lists(st.sampled_from("abcdefgh"), max_size=1),
    "blacklisted_sequences": st.lists(LISTS, max_size=2),
    "max_retries_per_tool": st.integers(-1, 2),
}
BELOW = st.fixed_dictionaries({}, optional={**LIMITS, "steps": st.lists(ASKED_FLAT, max_size=3)})
BELOW = BELOW.map(lambda asked: {k: v for k, v in asked.items() if k != "max_total_duration_ms"})
ASKED_STEP = st.one_of(
    ASKED_FLAT, st.builds(lambda s, below: {**s, "children": below}, ASKED_FLAT, BELOW)
)
ASKED = st.fixed_dictionaries({}, optional={**LIMITS, "steps": st.lists(ASKED_STEP, max_size=4)})
RUNS = st.lists(st.lists(STEP, min_size=1, max_size=6), min_size=1, max_size=6)


def scores(rows: list[Trace], *scorers: Scorer) -> list[list[float | None]]:
    asked = [scorer.score.alias(f"s{n}") for n, scorer in enumerate(scorers)]
    return [column.to_list() for column in frame(rows).lazy().select(asked).collect()]


@given(runs=RUNS, asked=ASKED)
@settings(deadline=None, max_examples=60)
def test_a_run_of_its_own_steps(runs: list[Steps], asked: dict[str, Any]) -> None:
    rows = [trace(trajectory=json.dumps({"steps": steps})) for steps in runs]
    told = [{**row, "expected_trajectory": json.dumps(asked)} for row in rows]
    wanted = [twin(steps, asked)[0] for steps in runs]
    assert scores(rows, trajectory(**asked)) == [wanted]
    assert scores(told, trajectory(), trajectory(pl.col("expected_trajectory"))) == [wanted] * 2
    steps, order = asked.get("steps"), asked.get("ordering", "relaxed")
    repeats = asked.get("allow_repeated_steps", True)
    found: list[float | None] = [
        None if steps is None else twin_accuracy(run, steps, order, repeats) for run in runs
    ]
    assert scores(told, trajectory_accuracy()) == [found]
    if steps is not None:
        checked = trajectory_accuracy(steps, ordering=order, allow_repeated_steps=repeats)
        assert scores(rows, checked) == [found]


CALL = st.tuples(
    st.one_of(NAMES, st.sampled_from([None, ""])),
    st.sampled_from(["ok", "ok", "error", "pending", "denied", "partial"]),
    st.one_of(st.none(), ARGS),
    st.integers(0, 5),
)


@given(runs=st.lists(st.lists(CALL, max_size=7), min_size=1, max_size=5), asked=ASKED)
@settings(deadline=None, max_examples=60)
def test_a_run_of_calls(runs: list[list[Any]], asked: dict[str, Any]) -> None:
    rows, wanted = [], []
    for calls in runs:
        made = [
            {"name": n, "state": s, "args": None if a is None else json.dumps(a), "duration_ms": d}
            for n, s, a, d in calls
        ]
        rows.append(trace(tool_calls=made))
        steps = [
            {"name": n, "step_type": "tool_call", "success": s == "ok", "duration_ms": d}
            | ({} if a is None else {"tool_args": a})
            for n, s, a, d in calls
            if n and s != "partial"
        ]
        is_timed = "max_total_duration_ms" in asked
        wanted.append(None if is_timed and not steps else twin(steps, asked)[0])
    assert scores(rows, trajectory(**asked)) == [wanted]


@given(
    runs=st.lists(st.lists(NAMES, max_size=5), min_size=1, max_size=5),
    tool=NAMES,
    order=st.lists(NAMES, max_size=3),
)
@settings(deadline=None, max_examples=60)
def test_tool_call_accuracy(runs: list[list[str]], tool: str, order: list[str]) -> None:
    def in_order(names: list[str]) -> bool:
        if not set(order) <= set(names):
            return False
        firsts = [names.index(name) for name in order]
        return all(one < other for one, other in pairwise(firsts))

    rows = [
        trace(tool_calls=list(names), expected=tool, expected_tool_calls=json.dumps(order))
        for names in runs
    ]
    by_order = (None, pl.col("expected_tool_calls"))
    got = scores(
        rows,
        tool_call_accuracy(tool),
        tool_call_accuracy(pl.col("expected"), strict_mode=True),
        tool_call_accuracy(tool, order),
        tool_call_accuracy(*by_order),
        tool_call_accuracy(*by_order, strict_mode=True),
    )
    assert got == [
        [float(tool in names) for names in runs],
        [float(names == [tool]) for names in runs],
        [float(bool(names) and (in_order(names) if order else tool in names)) for names in runs],
        [float(bool(names and order) and in_order(names)) for names in runs],
        [float(bool(names and order) and names == order) for names in runs],
    ]


@pytest.mark.parametrize("case", EXAMPLES, ids=lambda case: case[0].description[:60])
def test_examples(case: Case) -> None:
    scorer, row, expected = case
    parts = {"score": scorer.score, "reason": scorer.reason, "details": scorer.details}
    for table in (frame([row]), frame([row] * 3)):
        found = canonical(table).select(**parts).collect(engine="streaming")
        assert found["score"].to_list() == [pytest.approx(expected, abs=1e-12)] * len(table)
        assert found["details"].dtype == pl.Struct(DETAILS[scorer.id])
        for reason in found["reason"]:
            assert (reason is None) == (expected is None)
            assert reason is None or 20 < len(reason) < 260


# --- the original


@pytest.mark.parametrize(("name", "count"), [("scorers", 2629), ("scorers-cases", 151)])
def test_the_original_scores_the_same(name: str, count: int) -> None:
    suite = tomllib.loads((FOLDERS / name / "suite.toml").read_text())["scorers"]
    scorers = [
        make_scorer(table.pop("check"), [], table).named(key)
        for key, table in suite.items()
        if table["check"] in MINE
    ]
    asked = [scorer.score.alias(scorer.id) for scorer in scorers]
    table = read_traces(FOLDERS / name / "traces.jsonl").select("trace_id", *asked).collect()
    got = {row["trace_id"]: row for row in table.iter_rows(named=True)}
    lines = (FOLDERS / name / "expected.jsonl").read_bytes().decode().rstrip("\n").split("\n")
    expected = [
        (row["trace_id"], key, value)
        for row in map(json.loads, lines)
        for key, value in row["scores"].items()
        if key in table.columns
    ]
    wrong = [
        (t, k, got[t][k], v) for t, k, v in expected if got[t][k] != pytest.approx(v, abs=1e-9)
    ]
    assert len(expected) == count
    assert wrong == []


# --- mistakes

NAN = float("nan")
COL = pl.col("expected")
LOOP: list[Any] = []
LOOP.append(LOOP)
_STEPS: list[Any] = [
    "search", 5, True, [5], [None], [""], [{}], [{"name": ""}], [{"name": 1}], [[]], [COL],
    [{"name": "a", "step_type": 1}], [{"name": "a", "tool_arg": {}}], [{"nam": "a"}],
    [{"name": "a", "children": 1}], [{"name": "a", "children": {"max_step": 1}}],
    [{"name": "a", "children": {"max_steps": -1}}], [{"name": "a", "children": [{"b": 1}]}],
    [{"name": "a", "tool_args": COL}], ["\ud800"], LOOP,
]  # fmt: skip
BAD: list[tuple[type[BatchevalError], Callable[..., Scorer], list[Any], dict[str, Any]]] = [
    (MissingArgumentError, tool_call_accuracy, [], {}),
    (MissingArgumentError, tool_call_accuracy, [], {"strict_mode": True}),
    (BlankArgumentError, tool_call_accuracy, [""], {}),
    *[(BadArgumentError, tool_call_accuracy, [value], {}) for value in (5, ["a"], True, "\ud800")],
    *[
        (BadArgumentError, tool_call_accuracy, [None, value], {})
        for value in ("search", 3, [""], ["a", None], [["a"]], [COL], {"a": 1}, ["\ud800"])
    ],
    *[(BadArgumentError, tool_call_accuracy, ["a"], {"strict_mode": v}) for v in (None, 1, COL)],
    *[(BadArgumentError, trajectory_accuracy, [value], {}) for value in _STEPS],
    *[(BadArgumentError, trajectory, [value], {}) for value in [*_STEPS, {"steps": ["a"]}]],
    *[
        (BadArgumentError, trajectory_accuracy, [value], {})
        for value in ({}, {"ordering": "strict"}, {"steps": None}, {"step": []}, {"steps": 1})
    ],
    *[
        (BadArgumentError, check, [["a"]], {"ordering": value})
        for value in ("Strict", "", None, 1, COL, ["strict"])
        for check in (trajectory_accuracy, trajectory)
    ],
    *[
        (BadArgumentError, check, [["a"]], {"allow_repeated_steps": value})
        for value in (None, 0, "false", COL)
        for check in (trajectory_accuracy, trajectory)
    ],
    *[
        (BadArgumentError, trajectory, [], {name: value})
        for name in ("max_steps", "max_total_tokens")
        for value in (-1, 1.5, 2.0, NAN, True, "3", COL)
    ],
    *[
        (BadArgumentError, trajectory, [], {"max_total_duration_ms": value})
        for value in (-1, -0.5, NAN, math.inf, True, "3", COL)
    ],
    *[(BadArgumentError, trajectory, [], {"no_redundant_calls": v}) for v in (0, "true", COL)],
    *[
        (BadArgumentError, trajectory, [], {"max_retries_per_tool": value})
        for value in (0.5, None, NAN, True)
    ],
    *[
        (BadArgumentError, trajectory, [], {"blacklisted_tools": value})
        for value in ("a", 1, [1], [""], [None], [["a"]], ["\ud800"], COL)
    ],
    *[
        (BadArgumentError, trajectory, [], {"blacklisted_sequences": value})
        for value in ("ab", ["ab"], [[1]], [[""]], 1, COL)
    ],
    *[
        (BadArgumentError, trajectory, [], {"weights": value})
        for value in ([1], "a", {"accurcy": 1}, {"accuracy": "1"}, {"accuracy": NAN}, 1)
    ],
]  # fmt: skip


@pytest.mark.parametrize(("error", "check", "args", "options"), BAD)
def test_bad_arguments_raise_at_once(
    error: type[BatchevalError],
    check: Callable[..., Scorer],
    args: list[Any],
    options: dict[str, Any],
) -> None:
    with pytest.raises(error) as caught:
        check(*args, **options)
    assert "\n" not in str(caught.value)


def test_an_unknown_key_is_answered_with_the_nearest() -> None:
    nearest = "'steps' must be steps with keys such as 'tool_args', not 'tool_arg'"
    with pytest.raises(BadArgumentError, match=nearest):
        trajectory([{"name": "a", "tool_arg": {}}])
    with pytest.raises(BadArgumentError, match="such as 'max_steps', not 'max_step'"):
        trajectory([{"name": "a", "children": {"max_step": 1}}])


# --- evidence, columns, work


def evidence(scorer: Scorer, row: Trace) -> tuple[Any, Any]:
    scored = score(frame([row]), [scorer], details=True, reasons=True).collect()
    return scored[f"{scorer.id}_details"][0], scored[f"{scorer.id}_reason"][0]


def test_what_was_found_of_a_route() -> None:
    row = trace(tool_calls=["pay", "find", "pay", "other"])
    assert evidence(trajectory_accuracy(["find", "book", "pay"], ordering="strict"), row) == (
        {
            "matched_steps": 1,
            "expected_steps": 3,
            "actual_steps": 4,
            "missing": ["find", "book"],
            "extra": ["other"],
            "out_of_order": ["pay", "find"],
            "repeated": ["pay"],
        },
        "the run met 1 of 3 steps in 4 (1 extra, 1 repeated), missed 'find', 'book', and should"
        " take 'find', 'book', 'pay' exactly in this order",
    )
    details, reason = evidence(trajectory_accuracy(), row)
    assert reason is None
    assert set(details.values()) == {None}


def test_what_was_found_of_a_run() -> None:
    row = trace(tool_calls=[("find", "error"), "find", "pay"])
    asked = trajectory(["find", "book"], max_steps=2, blacklisted_tools=["refund"])
    assert evidence(asked, row) == (
        {
            "accuracy": 0.5,
            "efficiency": 0.65,
            "tool_failures": 1.0,
            "blacklist": 1.0,
            "nested": None,
            "missing": ["book"],
            "extra": ["pay"],
            "out_of_order": [],
            "repeated": ["find"],
            "blacklisted": [],
            "retried": ["find"],
        },
        "the run scores 0.5 for steps, 0.65 for efficiency, 1.0 for tool failures, 1.0 for the"
        " blacklist, and should take 'find', 'book' in this order, take at most 2 steps, avoid"
        " 'refund', retry a tool at most 2 times in a row",
    )
    barred = trajectory(blacklisted_tools=["pay"], blacklisted_sequences=[["find", "find"]])
    details, reason = evidence(barred, row)
    assert details["blacklisted"] == ["pay", "find, find"]
    assert details["missing"] is None
    assert reason.startswith("the run took 'pay', 'find, find', which is blacklisted, and should")


def test_columns_are_read_off_the_expressions() -> None:
    base = {"tool_calls", "trajectory"}
    assert tool_call_accuracy(COL).columns == {"tool_calls", "expected"}
    assert tool_call_accuracy("a", ["b"]).columns == {"tool_calls"}
    assert trajectory_accuracy(["a"]).columns == base | {"expected_trajectory"}
    assert trajectory(COL).columns == base | {"expected"}


def test_reasons_stay_short() -> None:
    names = [f"a tool with a long name {n}" * 9 for n in range(40)]
    row = trace(tool_calls=names[20:])
    scorers = [
        trajectory_accuracy(names, ordering="strict"),
        trajectory(names, max_steps=1, blacklisted_sequences=[names[25:]]),
        trajectory(names, max_steps=1, no_redundant_calls=True, blacklisted_tools=["x"]),
        tool_call_accuracy(names[0], names),
    ]
    assert all(20 < len(evidence(scorer, row)[1]) < 260 for scorer in scorers)


def test_equal_runs_are_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = []
    monkeypatch.setattr(verdicts, "_or_none", lambda judge, case: judged.append(case) or 1.0)
    rows = [trace(tool_calls=[name, "b"]) for name in "abababc"]
    scorer = trajectory_accuracy(["a"])
    frame(rows).select(scorer.score)
    assert len(judged) == 3


@pytest.mark.parametrize("ordering", ["relaxed", "strict", "unordered"])
def test_long_runs_take_no_more_than_they_must(ordering: Any) -> None:
    asked = [{"name": "a", "tool_args": {"n": n}} for n in range(5000)] + ["a"] * 5000
    call = {"name": "a", "state": "ok", "args": '{"n": 1}', "duration_ms": 1.0}
    row = trace(tool_calls=[call] * 10_000)
    scorer = trajectory(
        asked,
        ordering=ordering,
        allow_repeated_steps=False,
        max_steps=9,
        blacklisted_sequences=[["a"] * n + ["b", "a"] for n in (1, 5000)] + [["a"] * 10_001],
    )
    start = time.process_time()
    scores([row], scorer)
    assert time.process_time() - start < 5  # the square of 10,000 takes a minute
