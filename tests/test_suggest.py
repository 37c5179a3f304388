"""A suite suggested from a dump: what is planted is found, what is chance is not."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, fisher_exact

from batcheval import load_suite, read_traces, suggest, write_scores
from batcheval.errors import (
    BadArgumentError,
    BadPredicateError,
    MissingColumnsError,
    NoTracesError,
    TooFewRunsError,
)
from batcheval.suggesting import Suggestion, Suggestions, suite_text, tells
from batcheval.suggesting.telling import at_least, for_many, needed, telling
from tests.command import Command

TAU = Path(__file__).parent / "data/traces/tau_bench/MockAirlineDomainEnv-few_shot.jsonl"
SHARED = Path(__file__).parents[1] / "../shared/traces/tau_bench/gpt-4o-airline.0-49.json"
GOOD = "labels.ok = 'true'"
OFFERED = json.dumps([{"name": "look_up"}, {"type": "function", "function": {"name": "wipe"}}])


def call(name: str, state: str = "ok", **args: Any) -> dict[str, Any]:
    error = "503 Service Unavailable" if state == "error" else None
    return {"name": name, "args": json.dumps(args), "state": state, "error": error}


def planted(number: int, dice: Random) -> dict[str, Any]:
    """A run: three of four are good.

    Always `look_up` first; `refund` after `approve`, but in bad runs; `pack` with `ship`; `log` in
    nine of ten; `rare` in five; `nuke` in bad ones only; `wipe` is offered and never called.
    """
    good = number % 4 != 0
    calls = [call("look_up", id=f"o-{number}", mode=dice.choice(["fast", "full"]), limit=number)]
    if number % 40 not in (1, 2, 3):
        calls.append(call("log"))
    if number % 3 == 0:
        both = [call("approve"), call("refund", amount=1.5)]
        calls += both if good or number % 8 else both[1:]
    if number % 5 == 0:
        both = [call("pack"), call("ship")]
        dice.shuffle(both)
        calls += both
    if number % 80 == 0:
        calls.append(call("rare"))
    if not good and number % 3 == 1:
        calls.append(call("nuke", "error"))
    return {
        "trace_id": f"t{number}",
        "output": "x" * dice.randint(20, 90),
        "tool_calls": calls,
        "tool_definitions": OFFERED,
        "latency_ms": dice.uniform(100, 900),
        "cost": dice.uniform(0.001, 0.02),
        "labels": json.dumps({"ok": good, "coin": dice.random() < 0.5}),
    }


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    dice, path = Random(5), tmp_path_factory.mktemp("suggest") / "planted.jsonl"
    path.write_text("".join(json.dumps(planted(n, dice)) + "\n" for n in range(400)))
    return path


@pytest.fixture(scope="module")
def found(dump: Path) -> Suggestions:
    return suggest(read_traces(dump), GOOD)


def named(found: Suggestions) -> dict[str, Suggestion]:
    return {one.id: one for one in found.suggestions}


def test_what_is_planted_is_found(found: Suggestions) -> None:
    assert found.runs == {"all": 400, "good": 300, "bad": 100}
    assert {
        *("calls_look_up", "never_calls_wipe", "never_calls_nuke", "only_known_tools"),
        *("pack_ship_together", "approve_before_refund", "first_call_look_up"),
        *("args_of_look_up", "calls_of_a_tool_at_most"),
        *("output_at_most", "output_at_least", "calls_at_most", "latency_at_most"),
        *("cost_at_most", "no_tool_errors"),
    } <= named(found).keys()


def test_arguments_have_a_schema(found: Suggestions) -> None:
    assert named(found)["args_of_look_up"].check["then"]["schema"] == {
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "limit": {"type": "integer"},
            "mode": {"type": "string", "enum": ["fast", "full"]},
        },
        "required": ["id", "limit", "mode"],
        "additionalProperties": False,
    }


def test_traps_are_not(found: Suggestions) -> None:
    said = " ".join(named(found))
    assert "rare" not in said  # in 5 runs
    assert "calls_log" not in said  # broken by 1 in 10
    assert "pack_before_ship" not in said
    assert "ship_before_pack" not in said
    assert "look_up_with" not in said
    assert "look_up_before" not in said  # it is the first anyway


def test_support_and_breakers(found: Suggestions) -> None:
    order = named(found)["approve_before_refund"]
    assert (order.runs, order.holds, order.breakers) == (100, 100, [])
    skipped = [f"t{n}" for n in range(0, 400, 4) if n % 3 == 0 and n % 8 == 0]
    assert order.bad_runs - order.bad_holds == len(skipped)
    assert order.bad_breakers == skipped[:20]
    nuke = named(found)["never_calls_nuke"]
    assert (nuke.runs, nuke.holds, nuke.bad_holds) == (300, 300, 100 - 33)
    assert (nuke.precision, nuke.recall) == (1.0, 0.33)
    broken = sum(one.runs - one.holds for one in found.suggestions)
    assert broken == sum(len(one.breakers) for one in found.suggestions)  # fewer than 20 each


def test_what_tells_good_from_bad(found: Suggestions) -> None:
    level = 0.05
    telling_ids = {one.id for one in found.suggestions if tells(one, level)}
    assert telling_ids >= {"never_calls_nuke", "approve_before_refund", "no_tool_errors"}
    assert not telling_ids & {"calls_look_up", "pack_ship_together", "latency_at_most"}
    first = [tells(one, level) for one in found.suggestions]
    assert first == sorted(first, reverse=True)
    for one in found.suggestions:
        table = [
            [one.holds, one.runs - one.holds],
            [one.bad_holds, one.bad_runs - one.bad_holds],
        ]
        assert one.p == pytest.approx(fisher_exact(table).pvalue)
        assert one.p_adjusted == pytest.approx(min(1, (one.p or 0) * found.tried), rel=0.15)


def test_a_label_that_nothing_tells(dump: Path) -> None:
    found = suggest(read_traces(dump), "labels.coin = 'true'")
    assert found.suggestions
    assert not any(tells(one, 0.05) for one in found.suggestions)
    assert "never_calls_nuke" not in named(found)


def test_runs_that_nobody_judged(dump: Path) -> None:
    traces = read_traces(dump)
    found = suggest(traces, "case when latency_ms < 500 then labels.ok = 'true' end")
    assert 0 < found.runs["good"] + found.runs["bad"] < found.runs["all"] == 400
    assert all(one.scored >= one.runs + one.bad_runs for one in found.suggestions)


def test_the_suite_keeps_its_promise(dump: Path, found: Suggestions, tmp_path: Path) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text(suite_text(found))
    loaded = load_suite(suite)
    assert {one.id for one in loaded.scorers} == named(found).keys()
    written = write_scores(
        read_traces(dump), loaded.scorers, tmp_path / "s.parquet", keep=["labels.ok"]
    )
    scores = pl.read_parquet(written.path)
    good = scores.filter(pl.col("labels.ok") == "true")
    for one in found.suggestions:
        assert scores[one.id].mean() == pytest.approx(one.mean)
        assert scores[one.id].count() == one.scored
        assert good[one.id].count() == one.runs
        assert good[one.id].sum() == one.holds
        assert one.low >= found.share


def test_all_runs_are_examples_without_a_condition(dump: Path) -> None:
    found = suggest(read_traces(dump))
    assert (found.runs["bad"], found.labels) == (0, ["labels.coin", "labels.ok"])
    assert "never_calls_wipe" in named(found)
    assert "never_calls_nuke" not in named(found)
    assert all(one.p is None for one in found.suggestions)
    assert found.errors[0] == {
        **{"name": "nuke", "text": "# Service Unavailable", "calls": 33},
        **{"good": 33, "bad": 0, "runs": 33},
    }


@pytest.mark.parametrize(
    ("good", "error"),
    [
        ("labels.ok =", BadPredicateError),
        ("latency_ms + 1", BadPredicateError),
        ("sum(cost) > 1", BadPredicateError),
        ("labls.ok = 'true'", MissingColumnsError),
        ("latency_ms < 101", TooFewRunsError),
    ],
)
def test_bad_conditions(dump: Path, good: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        suggest(read_traces(dump), good)


def test_too_little_to_say() -> None:
    runs = pl.DataFrame({"trace_id": [f"t{n}" for n in range(28)], "output": "ok"})
    with pytest.raises(TooFewRunsError, match="28 runs are too few, since 29 are needed"):
        suggest(runs)
    assert suggest(runs, share=0.85).suggestions
    with pytest.raises(NoTracesError):
        suggest(runs.clear())
    for wrong in ({"share": 1.0}, {"confidence": 0.0}):
        with pytest.raises(BadArgumentError):
            suggest(runs, **wrong)


@settings(max_examples=30)
@given(st.integers(0, 300), st.integers(1, 300), st.sampled_from([0.8, 0.95, 0.99]))
def test_the_bound_is_that_of_clopper_and_pearson(holds: int, more: int, confidence: float) -> None:
    runs = max(holds, more)
    known = binomtest(holds, runs).proportion_ci(2 * confidence - 1, "exact").low
    assert at_least(holds, runs, confidence) == pytest.approx(known)


@given(st.sampled_from([0.5, 0.9, 0.99]), st.sampled_from([0.8, 0.95, 0.99]))
def test_the_fewest_runs_are_just_enough(share: float, confidence: float) -> None:
    least = needed(share, confidence)
    assert at_least(least, least, confidence) >= share
    assert least == 1 or at_least(least - 1, least - 1, confidence) < share


@settings(max_examples=30)
@given(st.tuples(*[st.integers(0, 12)] * 4))
def test_phi_is_the_correlation(table: tuple[int, int, int, int]) -> None:
    a, b, c, d = table
    found = telling((a, b), (c, d))
    if (a + b) * (c + d) * (a + c) * (b + d) == 0:
        assert found.phi is None
        return
    holds, good = np.repeat([1, 0, 1, 0], table), np.repeat([1, 1, 0, 0], table)
    assert found.phi == pytest.approx(np.corrcoef(holds, good)[0, 1])


def test_holm_over_all_that_was_tried() -> None:
    from statsmodels.stats.multitest import multipletests

    known = multipletests([0.001, 0.02, 0.2, *[1.0] * 7], method="holm")[1][:3]
    assert for_many([0.001, 0.02, None, 0.2], 10) == [*known[:2], None, known[2]]


@settings(max_examples=30)
@given(st.text(max_size=12), st.text(max_size=12), st.lists(st.text(max_size=5), max_size=2))
def test_any_name_can_stand_in_a_suite(tool: str, says: str, breakers: list[str]) -> None:
    words = {tool: {"type": "string", "enum": [tool]}, "n": {"maximum": 1.5, "deep": {}}}
    check = {"check": "when", "then": {"tool_name": tool, "schema": {"properties": words}}}
    one = Suggestion(
        **{"id": "a b", "kind": "tools", "says": says, "check": check, "scored": 9, "mean": 1.0},
        **{"runs": 9, "holds": 9 - len(breakers), "share": 1.0, "low": 1.0, "breakers": breakers},
        **{"bad_runs": 0, "bad_holds": 0, "bad_breakers": [], "precision": None, "recall": None},
        **{"phi": None, "p": None, "p_adjusted": None},
    )
    runs = {"all": 9, "good": 9, "bad": 0}
    found = Suggestions(says, runs, 0.9, 0.95, 29, 1, [one], {}, [], [])
    for several in (found, replace(found, good=None)):
        assert tomllib.loads(suite_text(several)) == {"scorers": {"a b": check}}


def test_command(run: Command, dump: Path, found: Suggestions, tmp_path: Path) -> None:
    suite = tmp_path / "suite.toml"
    ran = run("suggest", dump, "--good", GOOD, "-o", suite)
    assert (ran.code, ran.err) == (0, "")
    assert "300 good runs, 100 bad; good is where labels.ok = 'true'" in ran.out
    assert ran.out.index("these tell good runs from bad ones") < ran.out.index("nuke")
    assert ran.out.endswith(f"suite: {suite}\n")
    assert suite.read_text("utf-8") == suite_text(found, dump.name)
    again = run("suggest", dump, "-o", suite)
    assert (again.code, again.err) == (2, f"Error: '{suite}' is there already: give --overwrite\n")
    told = json.loads(run("suggest", dump, "-o", suite, "--overwrite", "--format", "json").out)
    assert told["runs"] == {"all": 400, "good": 400, "bad": 0}
    assert {"check": "called_tool", "tool_name": "look_up"} in [
        one["check"] for one in told["suggestions"]
    ]
    assert suite.read_text("utf-8") != suite_text(found, dump.name)
    assert "| suggestion |" in run("suggest", dump, "--format", "markdown").out


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (["--good", "labels.ok ="], 2, "the condition 'labels.ok =' cannot be used"),
        (["--good", "labls.ok"], 2, "--good reads 'labls'"),
        (["--good", "cost < 0"], 3, "0 good runs are too few, since 29 are needed"),
        (["-o", "suite.json"], 2, "does not end in '.toml'"),
        (["-o", "nowhere/suite.toml"], 2, "there is no folder 'nowhere'"),
        (["--share", "1"], 2, "--share"),
    ],
)
def test_mistakes_are_one_line(
    run: Command, dump: Path, args: list[str], code: int, told: str
) -> None:
    ran = run("suggest", dump, *args)
    assert ran.code == code
    assert told in ran.err
    assert ran.err.count("\n") == 1
    assert not ran.out


def test_an_empty_dump(run: Command, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n")
    ran = run("suggest", empty, "-o", tmp_path / "suite.toml")
    assert (ran.code, ran.err.count("\n")) == (3, 1)
    assert "no traces" in ran.err
    assert not (tmp_path / "suite.toml").exists()


def test_real_runs(run: Command, tmp_path: Path) -> None:
    assert "too few" in run("suggest", TAU).err  # 19 dialogues
    suite, out = tmp_path / "suite.toml", tmp_path / "s.parquet"
    if not SHARED.exists():
        pytest.skip("the results lie beside the project only")
    good = ["--good", "labels.reward = '1.0'", "--share", "0.8"]
    ran = run("suggest", SHARED, *good, "-o", suite, "--format", "json")
    found = json.loads(ran.out)
    assert found["runs"] == {"all": 50, "good": 21, "bad": 29}
    assert run("score", SHARED, "--suite", suite, "-o", out, "--quiet").code == 0
    scores = pl.read_parquet(out)
    for one in found["suggestions"]:
        assert scores[one["id"]].mean() == pytest.approx(one["mean"])
