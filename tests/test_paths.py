"""Paths along tools, as Python's own regular expressions have them; and what is told of runs."""

import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batcheval.checks import call_efficiency, handoffs, path_matches, step_count, sub_agents
from batcheval.checks.paths.automaton import automaton_of
from batcheval.checks.paths.parsing import tree_of
from batcheval.checks.paths.walking import walked
from batcheval.engine import score
from batcheval.errors import BadArgumentError, BatchevalError
from batcheval.scorer import Scorer
from tests.cases import Trace, frame, trace
from tests.cases.paths import NESTED
from tests.command import Command

TIMES = ["*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "{,2}", "{0}"]


def larger(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(parts, parts).map(" ".join),
        st.tuples(parts, parts).map(lambda pair: f"({pair[0]} | {pair[1]})"),
        st.tuples(parts, st.sampled_from(TIMES)).map(lambda pair: f"({pair[0]}){pair[1]}"),
    )


PATHS = st.recursive(st.sampled_from(["a", "b", "c", "."]), larger, max_leaves=8)
RUNS = st.lists(st.text("abcd", max_size=8), min_size=1, max_size=8)


@settings(max_examples=200)
@given(path=PATHS, runs=RUNS)
def test_paths_are_regular_expressions(path: str, runs: list[str]) -> None:
    pattern = re.compile(path.replace(" ", "").replace("{,", "{0,"))
    called = pl.Series([list(run) for run in runs], dtype=pl.List(pl.String))
    found = walked(called, automaton_of(tree_of(path), path))
    assert found.arrived.tolist() == [pattern.fullmatch(run) is not None for run in runs]


@settings(max_examples=100)
@given(path=PATHS, run=st.text("abcd", max_size=5))
def test_kept_calls_begin_a_way(path: str, run: str) -> None:
    """So many, and no more, can be completed to a run that is on the path: with the one before."""
    automaton = automaton_of(tree_of(path), path)
    prefixes = pl.Series([list(run[:n]) for n in range(len(run) + 1)], dtype=pl.List(pl.String))
    kept = walked(prefixes, automaton).kept.tolist()
    assert kept == [min(n, kept[-1]) for n in range(len(run) + 1)]
    state, alive = automaton.first, 0
    for letter in run:  # slowly: a set of positions at a time
        symbol = [*automaton.names, letter].index(letter)
        reached = state & automaton.allowed[symbol]
        if not reached:
            break
        state, alive = automaton.after(reached), alive + 1
    assert kept[-1] == alive


def test_a_state_that_is_met_late() -> None:
    """More states than there is room for at first, and none of them twice."""
    path = "(a | b)* a (a | b){9}"
    runs = [f"{n:012b}".replace("0", "a").replace("1", "b") for n in range(4096)]
    found = walked(pl.Series(list(map(list, runs))), automaton_of(tree_of(path), path))
    assert found.arrived.tolist() == [run[-10] == "a" for run in runs]


BAD_PATHS = [
    ("", "a tool name is missing at character 1, its end"),
    ("a |", "a tool name is missing at character 4, its end"),
    ("a | | b", "a tool name is missing at character 5, '| b'"),
    ("()", "a tool name is missing at character 2, ')'"),
    ("a (b c", "a group is not closed that begins at character 3, '(b c'"),
    ("a) b", "this closes no group at character 2, ') b'"),
    ("* a", "there is nothing to repeat at character 1, '* a'"),
    ("a+?", "a second number of times needs a group at character 3, '?'"),
    ("a.b", "a name with a dot needs quotes, and '.' for any tool a space at character 2, '.b'"),
    ("a, b", "a name with such characters needs quotes at character 2, ', b'"),
    ("a 'b", "a name with such characters needs quotes at character 3, ''b'"),
    ("a{3,1}", "the least number of times is above the largest at character 2, '{3,1}'"),
    ("a{}", "a number of times is 0 to 1,000, as in {2} or {1,3} at character 2, '{}'"),
    ("a{1001}", "a number of times is 0 to 1,000, as in {2} or {1,3} at character 2, '{1001}'"),
    ("(" * 51 + "a", "groups are nested too deeply at character 51"),
    ("((a{1000}){1000}){1000}", "a path of at most 2,000 names, repeats written out"),
    ("\ud800", "text without half of a surrogate pair"),
]


@pytest.mark.parametrize(("path", "problem"), BAD_PATHS)
def test_a_bad_path_is_told_with_its_place(path: str, problem: str) -> None:
    with pytest.raises(BadArgumentError) as caught:
        path_matches(path)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def files(folder: Path) -> dict[str, Path]:
    contents = {"none.json": "{", "list.json": "[1]", "empty.json": "{}", "text.json": '{"a": "1"}'}
    for name, content in contents.items():
        (folder / name).write_text(content)
    return {name: folder / name for name in contents}


def test_the_shortest_runs_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "best.json").write_text('{"a": 1}')
    (tmp_path / "best.toml").write_text("a = 1")
    rows = frame([trace(task_id="a", tool_calls=["x", "y"])])
    for name in ("best.json", "best.toml"):
        scorer = call_efficiency(str(tmp_path / name))
        assert score(rows, [scorer]).collect()["call_efficiency"].to_list() == [0.5]
    for path in [*files(tmp_path).values(), tmp_path / "lost.json", tmp_path]:
        with pytest.raises(BadArgumentError, match="'shortest' must be"):
            call_efficiency(str(path))


def test_the_command_writes_the_shortest_runs(run: Command, tmp_path: Path) -> None:
    dump, out = tmp_path / "dump.jsonl", tmp_path / "best.json"
    calls = [{"name": name, "state": "ok"} for name in ("x", "y")]
    runs = [
        {"trace_id": "1", "task_id": "a", "output": "good", "tool_calls": calls},
        {"trace_id": "2", "task_id": "a", "output": "bad", "tool_calls": calls[:1]},
        {"trace_id": "3", "output": "good", "tool_calls": calls},
    ]
    dump.write_text("\n".join([*map(json.dumps, runs), "broken{"]) + "\n")
    done = run("shortest", dump, "-o", out)
    assert (done.code, done.out, json.loads(out.read_text())) == (0, f"1 task in {out}\n", {"a": 1})
    warnings = done.err.splitlines()
    assert warnings[0].startswith("warning: 1 of 4 lines could not be read; the first is ")
    assert f"{dump}:4, " in warnings[0]
    assert warnings[1:] == ["warning: 1 run has no task_id, left out"]
    done = run("shortest", dump, "--where", "output = 'good'", "-o", out)
    assert (done.code, json.loads(out.read_text())) == (0, {"a": 2})
    for condition, told in (
        ("trace_id = '3'", "none of 1 runs that count has a 'task_id'"),
        ("output = 'x'", "no run counts, so none has a 'task_id'"),
    ):
        done = run("shortest", dump, "--where", condition, "-o", out)
        assert (done.code, done.err.splitlines()[-1]) == (3, f"Error: {told}")
        assert json.loads(out.read_text()) == {"a": 2}  # what stood there stays


BAD: list[tuple[Any, dict[str, Any]]] = [
    (call_efficiency, {"shortest": value})
    for value in (-1, 1.5, True, None, [], {}, {"a": -1}, {"a": 1.5}, {1: 1})
]
BAD += [(path_matches, {"path": 5}), (path_matches, {"path": "a", "ignore": "think"})]
BAD += [(step_count, keys) for keys in ({}, {"min": -1}, {"min": 2, "max": 1}, {"max": 1.5})]
BAD += [(step_count, {"max": 1, key: value}) for key, value in (("kind", ""), ("from_depth", -1))]
BAD += [(sub_agents, keys) for keys in ({}, {"allowed": "x"}, {"max_calls": -1}, {"max": True})]
BAD += [(handoffs, keys) for keys in ({}, {"max": 1, "by": "x"}, {"max": 1, "tools": [""]})]


@pytest.mark.parametrize(("check", "arguments"), BAD)
def test_bad_arguments(check: Any, arguments: dict[str, Any]) -> None:
    with pytest.raises(BatchevalError) as caught:
        check(**arguments)
    assert "\n" not in str(caught.value)


def evidence(scorer: Scorer, row: Trace) -> tuple[Any, Any]:
    scores = score(frame([row]), [scorer], details=True, reasons=True).collect()
    return scores[f"{scorer.id}_details"][0], scores[f"{scorer.id}_reason"][0]


def test_where_a_run_leaves_its_path() -> None:
    row = trace(tool_calls=["search", "refund", "respond"])
    details, reason = evidence(path_matches("search+ respond"), row)
    assert details == {"kept_calls": 1, "actual_tools": ["search", "refund", "respond"]}
    assert reason == (
        "the run called 'search', 'refund', 'respond', which leaves, from call 2 on, the path"
        " 'search+ respond'"
    )
    short = evidence(path_matches("search+ respond"), trace(tool_calls=["search"]))[1]
    assert short == "the run called 'search', which ends before the path 'search+ respond'"


def test_what_is_told_of_agents() -> None:
    details, reason = evidence(sub_agents(["reader"], max=1), NESTED)
    assert details == {
        "count": 2,
        "agents": ["reader", "sorter"],
        "calls": 3,
        "unexpected": ["sorter"],
    }
    assert reason == (
        "'reader', 'sorter' made 3 calls as sub-agents, and there should be none but those allowed"
        " and at most 1 of them"
    )
    assert evidence(handoffs(max=1), trace(tool_calls=["handoff", "delegate"])) == (
        {"count": 2, "handoffs": ["handoff", "delegate"]},
        "the run was handed over 2 times, and should be at most 1 times",
    )
    assert evidence(step_count(max=1, kind="tool_call", from_depth=2), NESTED)[1] == (
        "the run took 2 steps of kind 'tool_call' at depth 2 or deeper, and should take at most 1"
    )
