import json
from typing import Any

import polars as pl

from batcheval.checks import tool_call_accuracy, trajectory, trajectory_accuracy
from tests.cases import Case, Trace, trace

WANTED = pl.col("wanted")
OWN = pl.col("expected")
CALLS = pl.col("expected_tool_calls")
NONE = trace(tool_calls=[])
NULL = trace(tool_calls=None)
TWO = trace(tool_calls=["search", "read"])
THREE = trace(tool_calls=["search", "read", "search"])
RETRIED = trace(tool_calls=[("search", "error")] * 4 + ["search", "read"])
TOOL, MODEL = {"step_type": "tool_call"}, {"step_type": "model_generation"}
DEEP = '[{"name": "a", "children": ' * 300 + "[]" + "}]" * 300


def own(steps: Any, expected: Any = None, **fields: Any) -> Trace:
    """A trace that brings its trajectory and what is expected of it."""
    return trace(
        trajectory=json.dumps({"steps": steps, **fields}),
        expected_trajectory=None if expected is None else json.dumps(expected),
    )


def expecting(expected: Any, *calls: Any) -> Trace:
    """A trace of calls, with what is expected of them: JSON text as it is, else made into it."""
    text = expected if isinstance(expected, str) else json.dumps(expected)
    return trace(tool_calls=list(calls), expected_trajectory=text)


def called(*calls: tuple[str, str | None, str | None, float | None]) -> Trace:
    names = ("name", "args", "result", "duration_ms")
    made = [{**dict(zip(names, call, strict=True)), "state": "ok"} for call in calls]
    return trace(tool_calls=made)


_NAMES = pl.List(pl.String)
_LISTS: dict[str, Any] = dict.fromkeys(("missing", "extra", "out_of_order", "repeated"), _NAMES)
DETAILS: dict[str, dict[str, Any]] = {
    "tool_call_accuracy": {
        "correct_tool_called": pl.Boolean(),
        "correct_order_called": pl.Boolean(),
        "has_tool_calls": pl.Boolean(),
        "actual_tools": _NAMES,
    },
    "trajectory_accuracy": {
        **dict.fromkeys(("matched_steps", "expected_steps", "actual_steps"), pl.Int64()),
        **_LISTS,
    },
    "trajectory": {
        **dict.fromkeys(("accuracy", "efficiency", "tool_failures"), pl.Float64()),
        **dict.fromkeys(("blacklist", "nested"), pl.Float64()),
        **_LISTS,
        **dict.fromkeys(("blacklisted", "retried"), _NAMES),
    },
}

ARGS = called(("search", '{"q": 1, "n": [1.0, true]}', "[2]", 10.0), ("read", "three", None, 5.0))
TOKENS = own(
    [
        {**MODEL, "name": "m", "prompt_tokens": 60, "completion_tokens": 40},
        {**TOOL, "name": "search", "duration_ms": 10, "children": [
            {**MODEL, "name": "m", "promptTokens": 30, "completionTokens": 20},
        ]},
    ],
    total_duration_ms=200,
)  # fmt: skip
NESTED = own([{"name": "plan", "children": ["a", "b"]}, {"name": "plan", "children": ["c"]}])

EXAMPLES: list[Case] = [
    # tool_call_accuracy
    (tool_call_accuracy("search"), THREE, 1.0),
    (tool_call_accuracy("Search"), THREE, 0.0),
    (tool_call_accuracy("search"), NONE, 0.0),
    (tool_call_accuracy("search"), NULL, 0.0),
    (tool_call_accuracy("search", strict_mode=True), THREE, 0.0),
    (tool_call_accuracy("search", strict_mode=True), trace(tool_calls=["search"]), 1.0),
    (tool_call_accuracy("search", strict_mode=True), trace(tool_calls=["read"]), 0.0),
    (tool_call_accuracy("search"), trace(tool_calls=[("search", "partial")]), 0.0),
    (tool_call_accuracy("search"), trace(tool_calls=[("search", "error")]), 1.0),
    (tool_call_accuracy(OWN), trace(tool_calls=["a"], expected="a"), 1.0),
    (tool_call_accuracy(OWN), trace(tool_calls=["a"], expected="b"), 0.0),
    (tool_call_accuracy(OWN), trace(tool_calls=["a"], expected=None), None),
    (tool_call_accuracy(OWN, strict_mode=True), trace(tool_calls=["a"], expected=""), None),
    (tool_call_accuracy(OWN, strict_mode=True), trace(expected="a"), 0.0),
    (tool_call_accuracy(expected_tool_order=["search", "read"]), THREE, 1.0),
    (tool_call_accuracy(expected_tool_order=["read", "search"]), THREE, 0.0),  # only the first
    (tool_call_accuracy(expected_tool_order=["search", "search"]), THREE, 0.0),
    (tool_call_accuracy(expected_tool_order=["search", "x"]), THREE, 0.0),
    (tool_call_accuracy("x", ["search", "read"]), THREE, 1.0),  # the tool is passed over
    (tool_call_accuracy(expected_tool_order=["search", "read"], strict_mode=True), THREE, 0.0),
    (tool_call_accuracy(expected_tool_order=["search", "read"], strict_mode=True), TWO, 1.0),
    (tool_call_accuracy("read", []), THREE, 1.0),
    (tool_call_accuracy(None, []), THREE, 0.0),
    (tool_call_accuracy(None, []), NONE, 0.0),
    (tool_call_accuracy(None, ["a"]), NONE, 0.0),
    (tool_call_accuracy(None, CALLS), trace(tool_calls=["a"], expected_tool_calls='["a"]'), 1.0),
    (tool_call_accuracy(None, CALLS), trace(tool_calls=["a"], expected_tool_calls='["b"]'), 0.0),
    (tool_call_accuracy(None, CALLS), trace(tool_calls=["a"], expected_tool_calls="{"), None),
    (tool_call_accuracy("a", CALLS), trace(tool_calls=["a"], expected_tool_calls=None), None),
    (tool_call_accuracy("a", CALLS), trace(tool_calls=["a"], expected_tool_calls="[]"), 1.0),
    # trajectory_accuracy
    (trajectory_accuracy(["search", "read"]), THREE, 1.0),
    (trajectory_accuracy(["read", "search"]), THREE, 1.0),
    (trajectory_accuracy(["read", "read"]), THREE, 0.5),
    (trajectory_accuracy(["read", "x", "search"]), THREE, 0.67),
    (trajectory_accuracy(["search", "read"]), NULL, 0.0),
    (trajectory_accuracy([]), NONE, 1.0),
    (trajectory_accuracy([]), THREE, 0.0),
    (trajectory_accuracy({"steps": ["search"], "metadata": {}}), THREE, 1.0),
    (trajectory_accuracy({"steps": ["search"], "ordering": "strict"}), THREE, 0.0),
    (trajectory_accuracy(["search", "read"], ordering="strict"), THREE, 0.75),
    (trajectory_accuracy(["read", "search"], ordering="unordered"), TWO, 1.0),
    (trajectory_accuracy(["read", "search"]), TWO, 0.5),
    (trajectory_accuracy(["search"], allow_repeated_steps=False), THREE, 0.9),
    (trajectory_accuracy(["search"] * 2, allow_repeated_steps=False), THREE, 1.0),
    (trajectory_accuracy([{"name": "read", "tool_args": {"value": "three"}}]), ARGS, 1.0),
    (trajectory_accuracy([{"name": "read", "tool_args": {}}]), ARGS, 0.0),
    (trajectory_accuracy([{"name": "read", "tool_result": {}}]), ARGS, 0.0),
    (
        trajectory_accuracy([{"name": "search", "toolArgs": {"n": [1, True], "q": 1.0}}]),
        ARGS,
        1.0,
    ),
    (trajectory_accuracy([{"name": "search", "tool_args": {"n": [1, 1], "q": 1}}]), ARGS, 0.0),
    (trajectory_accuracy([{"name": "search", "tool_args": {"n": [True, 1], "q": 1}}]), ARGS, 0.0),
    (trajectory_accuracy([{"name": "search", "tool_result": {"value": [2.0]}}]), ARGS, 1.0),
    (trajectory_accuracy([{**TOOL, "name": "search", "success": False}]), THREE, 0.0),
    (trajectory_accuracy([{**TOOL, "name": "search", "success": False}]), RETRIED, 1.0),
    (trajectory_accuracy([{"name": "search", "step_type": "agent_run"}]), THREE, 0.0),
    (trajectory_accuracy([{"name": "search", "model_id": "m"}]), THREE, 1.0),  # not of its type
    (trajectory_accuracy(), THREE, None),
    (trajectory_accuracy(), expecting(["read"], "read"), 1.0),
    (trajectory_accuracy(), expecting({"steps": ["read", "x"]}, "read"), 0.5),
    (trajectory_accuracy(), expecting({"steps": ["a", "b"], "ordering": "strict"}, "b", "a"), 0.0),
    (trajectory_accuracy(), expecting({"steps": ["a"], "ordering": "odd"}, "b", "a"), 1.0),
    (trajectory_accuracy(), expecting({"max_steps": 3}, "a"), None),
    (trajectory_accuracy(), expecting([1], "a"), None),
    (trajectory_accuracy(), expecting("[", "a"), None),
    (trajectory_accuracy(), expecting(DEEP, "a"), None),
    (trajectory_accuracy(), expecting("[" * 100_000, "a"), None),
    (trajectory_accuracy(), expecting(" ", "a"), None),
    (trajectory_accuracy(["a"]), expecting("[", "a"), None),
    (trajectory_accuracy(["a"]), expecting({"steps": ["b"], "ordering": "strict"}, "b", "a"), 0.0),
    (trajectory_accuracy(["a"]), expecting({"allowRepeatedSteps": False}, "a", "a"), 0.9),
    (trajectory_accuracy(["a"]), expecting({"allowRepeatedSteps": None}, "a", "a"), 1.0),
    (trajectory_accuracy(["a"]), own(["b", "a"]), 1.0),
    (trajectory_accuracy(["a"]), trace(trajectory='["a"]'), 1.0),
    (trajectory_accuracy(["a"]), trace(trajectory='{"total_duration_ms": 1}', tool_calls=["a"]), 1),
    (trajectory_accuracy(["a"]), trace(trajectory='["a"', tool_calls=["a"]), None),
    (trajectory_accuracy(["a"]), trace(trajectory='[{"type": "a"}]', tool_calls=["a"]), None),
    (trajectory_accuracy(["a"]), trace(trajectory=DEEP), 1.0),
    (trajectory_accuracy([{**TOOL, "name": "a"}]), own(["a"]), 0.0),  # it says no type
    (trajectory_accuracy(["a"] * 3), trace(tool_calls=["a"] * 2), 0.67),
    (trajectory_accuracy(WANTED), trace(tool_calls=["a"], wanted='["a"]'), 1.0),
    (trajectory_accuracy(WANTED), trace(tool_calls=["a"], wanted=["a", "b"]), 0.5),
    (trajectory_accuracy(WANTED), trace(tool_calls=["a"], wanted=None), None),
    (trajectory_accuracy(WANTED), trace(tool_calls=["a"], wanted="a"), None),
    # trajectory
    (trajectory(), THREE, 1.0),
    (trajectory(), NULL, 1.0),
    (trajectory(), RETRIED, 0.6),
    (trajectory(max_retries_per_tool=5), RETRIED, 1.0),
    (trajectory(max_retries_per_tool=-1), RETRIED, 0.0),
    (trajectory(), trace(tool_calls=[("a", "error"), "b", ("a", "error"), "b"]), 1.0),
    (trajectory(["read", "x"]), THREE, 0.5),
    (trajectory(["read", "x"]), RETRIED, 0.53),
    (trajectory([], max_steps=2), NONE, 1.0),
    (trajectory(max_steps=2), THREE, 0.75),
    (trajectory(max_steps=2, no_redundant_calls=False), THREE, 0.5),
    (trajectory(max_steps=0, no_redundant_calls=False), THREE, 0.0),
    (trajectory(no_redundant_calls=False), THREE, 1.0),
    (trajectory(no_redundant_calls=True), trace(tool_calls=["a", "a", "b", "b", "b"]), 0.4),
    (
        trajectory(no_redundant_calls=True),
        called(("a", '{"a": 1, "b": 2}', None, None), ("a", '{"b":2,"a":1.0}', None, None)),
        0.8,
    ),
    (
        trajectory(no_redundant_calls=True),
        called(("a", '{"a": 1}', None, None), ("a", None, None, None), ("a", "{}", None, None)),
        1.0,
    ),
    (trajectory(max_total_duration_ms=15), ARGS, 1.0),
    (trajectory(max_total_duration_ms=10, no_redundant_calls=False), ARGS, 0.5),
    (trajectory(max_total_duration_ms=15), TWO, None),
    (trajectory(max_total_duration_ms=15), NONE, None),
    (trajectory(max_total_duration_ms=100, no_redundant_calls=False), TOKENS, 0.0),
    (trajectory(max_total_tokens=150), TOKENS, 1.0),
    (trajectory(max_total_tokens=100, no_redundant_calls=False), TOKENS, 0.5),
    (trajectory(max_total_tokens=100), THREE, None),
    (trajectory(max_total_tokens=100), own([{**MODEL, "name": "m"}]), None),
    (trajectory(max_total_tokens=100), trace(trajectory=DEEP), None),
    (trajectory(blacklisted_tools=["read"]), THREE, 0.0),
    (trajectory(blacklisted_tools=["refund"]), THREE, 1.0),
    (trajectory(blacklisted_tools=[]), THREE, 1.0),
    (trajectory(blacklisted_sequences=[["read", "search"]]), THREE, 0.0),
    (trajectory(blacklisted_sequences=[["search", "search"], []]), THREE, 1.0),
    (trajectory(["x"], weights={"accuracy": 0}), THREE, 1.0),
    (trajectory(["x"], max_steps=3, weights={"accuracy": 1, "efficiency": 3}), THREE, 0.75),
    (trajectory(), expecting({"steps": ["a", "b"]}, "a"), 0.5),
    (trajectory(), expecting({"blacklistedTools": ["a"]}, "a"), 0.0),
    (trajectory(["a"], max_steps=1), expecting({"maxSteps": None}, "a", "b"), 0.79),
    (trajectory(["a"], max_steps=1), expecting({"maxSteps": 2}, "a", "b"), 1.0),
    (trajectory(max_steps=1), expecting({"max_steps": -1}, "a"), None),
    (trajectory(), expecting("{", "a"), None),
    (trajectory(WANTED), trace(tool_calls=["a"], wanted='["a", "b"]'), 0.5),
    (trajectory(WANTED), trace(tool_calls=["a"], wanted=None), None),
    (trajectory([{"name": "plan", "children": ["a", "x"]}]), NESTED, 0.85),
    (trajectory([{"name": "plan", "children": ["a"]}] * 2), NESTED, 0.85),
    (trajectory([{"name": "plan", "children": {"blacklisted_tools": ["b"]}}]), NESTED, 0.0),
    (trajectory([{"name": "other", "children": ["a"]}]), NESTED, 0.0),
    (trajectory([{"name": "plan", "children": {"max_total_tokens": 5}}]), NESTED, None),
]

# The laws hold every scorer against every trace of a room: a third of the examples will do there.
CASES = EXAMPLES[::3]
