import json
from datetime import UTC, datetime
from typing import Any

import polars as pl

from batcheval.checks import (
    called_together,
    forbidden_sequence,
    max_calls_per_tool,
    only_tools,
    parallel_calls,
    required_before,
    tool_args,
    tool_duration,
    tool_error_rate,
    tool_loops,
    tool_result,
    tool_retries,
    unanswered_calls,
    valid_tool_args,
    valid_tool_names,
)
from tests.cases import Case, Trace, trace
from tests.cases.expected_calls import PARIS, made

OWN = pl.col("expected")
NONE = trace(tool_calls=[])
ABC = trace(tool_calls=["a", "b", "c"])
AAB = trace(tool_calls=["a", "a", "b"])
STATES = trace(tool_calls=[("a", s) for s in ("ok", "error", "pending", "denied", "partial")])
FAILED = trace(tool_calls=[("a", "error"), ("a", "error"), "a", ("b", "error"), "a"])
TOOLS = [
    {"name": "s", "parameters": {"required": ["q"], "properties": {"q": {"type": "str"}}}},
    {"type": "function", "function": {"name": "a"}},
]


def gave(*results: str | None) -> Trace:
    return trace(tool_calls=[{"name": "s", "result": text, "state": "ok"} for text in results])


def at(*times: tuple[int | None, float | None], messages: Any = None) -> Trace:
    """A run of calls by the second in which they began and the milliseconds that they took."""
    calls = [
        {
            "name": "s",
            "state": "ok",
            "started_at": None
            if second is None
            else datetime(2025, 1, 1, 0, 0, second, tzinfo=UTC),
            "duration_ms": took,
            "message": messages[place] if messages else None,
        }
        for place, (second, took) in enumerate(times)
    ]
    return trace(tool_calls=calls)


def defined(tools: object, *calls: object, **fields: object) -> Trace:
    text = tools if isinstance(tools, str | None) else json.dumps(tools)
    return trace(tool_calls=list(calls), tool_definitions=text, **fields)


_TOOLS = {"tools": pl.List(pl.String)}
_JUDGED = {"actual_count": pl.Int64(), "met": pl.Int64(), "problems": pl.List(pl.String)}
DETAILS: dict[str, dict[str, Any]] = {
    "tool_args": _JUDGED,
    "tool_result": _JUDGED,
    "tool_error_rate": {"error_count": pl.Int64(), "total_calls": pl.Int64(), **_TOOLS},
    "tool_retries": {"retries": pl.Int64(), **_TOOLS},
    "tool_loops": {"repeats": pl.Int64(), **_TOOLS},
    "unanswered_calls": {"unanswered": pl.Int64(), **_TOOLS},
    "valid_tool_names": {"unknown_count": pl.Int64(), **_TOOLS},
    "valid_tool_args": {"invalid_count": pl.Int64(), **_TOOLS, "problems": pl.List(pl.String)},
    "only_tools": {"other_count": pl.Int64(), **_TOOLS},
    "max_calls_per_tool": {"beyond": pl.Int64(), **_TOOLS},
    "called_together": {"called": pl.List(pl.String), "missing": pl.List(pl.String)},
    "required_before": {"early_count": pl.Int64(), **_TOOLS},
    "forbidden_sequence": {"actual_tools": pl.List(pl.String)},
    "parallel_calls": {"most_at_once": pl.Int64(), "total_calls": pl.Int64()},
    "tool_duration": {"duration_ms": pl.Float64(), **_TOOLS},
}

CASES: list[Case] = [
    (tool_args("s", equals={"a": 1}), made({"a": 1.0}), 1.0),
    (tool_args("s", equals='{"a": 1}'), made({"a": 1}), 1.0),
    (tool_args("s", equals={"a": 1}), made({"a": 1, "b": 2}), 0.0),
    (tool_args("s", contains={"a": 1}), made({"a": 1, "b": 2}), 1.0),
    (tool_args("s", contains={"a": {"b": 1}}), made({"a": {"b": 1, "c": 2}}), 1.0),
    (tool_args("s", contains="ari"), made({"a": ["Paris"]}), 1.0),
    (tool_args("s", contains="ARI", ignore_case=True), made({"a": ["Paris"]}), 1.0),
    (tool_args("s", contains="key"), made({"key": "x"}), 0.0),  # a key is no text
    (tool_args("s", matches="^P.*s$"), made({"a": "Paris"}), 1.0),
    (tool_args("s", equals={"a": PARIS}), made({"a": "paris"}), 1.0),
    (tool_args("s", schema={"required": ["a"]}), made({"a": 1}), 1.0),
    (tool_args("s", schema={"required": ["b"]}), made({"a": 1}), 0.0),
    (tool_args("s", contains={"a": 1}, matches="x"), made({"a": 1}, {"b": "x"}), 0.0),
    (tool_args("r", equals={}), made({}), 0.0),  # never called
    (tool_args("s", equals={}), made(None), 1.0),
    (tool_args("s", equals={}), made('{"a": '), 0.0),
    (tool_args("s", equals={"a": 1}), made({"a": 2}, {"a": 1}), 1.0),
    (tool_args("s", equals={"a": 1}, calls="all"), made({"a": 2}, {"a": 1}), 0.0),
    (tool_args("s", equals={"a": 1}, calls="first"), made({"a": 2}, {"a": 1}), 0.0),
    (tool_args("s", equals={"a": 1}, calls="last"), made({"a": 2}, {"a": 1}), 1.0),
    (tool_args("s", equals={"a": 1}, calls=2), made({"a": 2}, {"a": 1}), 1.0),
    (tool_args("s", equals={"a": 1}, calls=3), made({"a": 2}, {"a": 1}), 0.0),
    (tool_args("s", equals=OWN), made({"a": 1}, expected='{"a": 1}'), 1.0),
    (tool_args("s", equals=OWN), made({"a": 1}, expected=None), None),
    (tool_args("s", equals=OWN), made({"a": 1}, expected="{"), None),
    (tool_args(OWN, equals={}), made({}, expected="s"), 1.0),
    (tool_args(OWN, equals={}), made({}, expected=""), None),
    (tool_args("s", equals={"a": 1}, tolerance=0.5), made({"a": 1.4}), 1.0),
    (tool_args("s", equals={"a": 1}, ignore=["b"]), made({"a": 1, "b": 2}), 1.0),
    (tool_result("s", equals="sunny"), gave("sunny"), 1.0),
    (tool_result("s", equals={"ok": True}), gave('{"ok": true}'), 1.0),
    (tool_result("s", equals=3), gave("3.0"), 1.0),
    (tool_result("s", contains="un"), gave("sunny"), 1.0),
    (tool_result("s", matches="^rain"), gave("sunny"), 0.0),
    (tool_result("s", contains={"ok": True}, calls="all"), gave('{"ok": true}', None), 0.0),
    (tool_result("s", schema={"type": "string"}), gave("sunny"), 1.0),
    (tool_result("s", equals=OWN), trace(expected="x"), 0.0),
    (tool_error_rate(), STATES, 0.5),
    (tool_error_rate(), NONE, 1.0),
    (tool_error_rate(max=0.5), STATES, 1.0),
    (tool_error_rate(max=0.4), STATES, 0.0),
    (tool_error_rate(tool_name="b"), FAILED, 0.0),
    (tool_error_rate(), trace(tool_calls=[(None, "error"), "a"]), 0.5),
    (tool_retries(), FAILED, 0.0),
    (tool_retries(max=2), FAILED, 1.0),
    (tool_retries(tool_name="b"), FAILED, 1.0),
    (tool_retries(), NONE, 1.0),
    (tool_retries(), STATES, 0.0),
    (tool_loops(), made({"a": 1, "b": 2}, '{"b": 2.0, "a": 1}'), 0.0),
    (tool_loops(), made({"a": 1}, {"a": 2}), 1.0),
    (tool_loops(), made(None, {}), 0.0),
    (tool_loops(), made("{", "{"), 0.0),
    (tool_loops(), made("{", "{ "), 1.0),
    (tool_loops(max=2), made({}, {}), 1.0),
    (tool_loops(in_a_row=True), made({}, {"a": 1}, {}), 1.0),
    (tool_loops(in_a_row=True), made({"a": 1}, {}, {}), 0.0),
    (tool_loops(), NONE, 1.0),
    (unanswered_calls(), STATES, 0.0),
    (unanswered_calls(max=1), STATES, 1.0),
    (unanswered_calls(), NONE, 1.0),
    (unanswered_calls(tool_name="b"), STATES, 1.0),
    (unanswered_calls(), ABC, 1.0),
    (valid_tool_names(["a", "b"]), AAB, 1.0),
    (valid_tool_names(["a", "b"]), ABC, 0.0),
    (valid_tool_names(), defined(TOOLS, "a"), 1.0),
    (valid_tool_names(), defined(TOOLS, "A"), 0.0),
    (valid_tool_names(), defined(None, "a"), None),
    (valid_tool_names(), defined("no JSON", "a"), None),
    (valid_tool_names(), defined([]), 1.0),
    (valid_tool_names(), defined([{"type": "mcp"}], "a"), 1.0),  # it may bring any tool
    (valid_tool_names(), defined({"a": {"description": "x"}}, "a"), 1.0),
    (valid_tool_args(TOOLS), made({"q": "x"}), 1.0),
    (valid_tool_args(TOOLS), made({"q": 1}), 0.0),
    (valid_tool_args(TOOLS), made({}), 0.0),
    (valid_tool_args(TOOLS), made("{"), 0.0),
    (valid_tool_args(TOOLS), AAB, 0.0),  # b is not defined
    (valid_tool_args(TOOLS), trace(tool_calls=["a"]), 1.0),
    (valid_tool_args(), defined(TOOLS, {"name": "s", "args": "{}", "state": "ok"}), 0.0),
    (valid_tool_args(), defined(None, "a"), None),
    (only_tools(["a", "b"]), AAB, 1.0),
    (only_tools(["a", "b"]), ABC, 0.0),
    (only_tools([]), NONE, 1.0),
    (only_tools([]), ABC, 0.0),
    (only_tools(["a"]), STATES, 1.0),
    (max_calls_per_tool(1), AAB, 0.0),
    (max_calls_per_tool(2), AAB, 1.0),
    (max_calls_per_tool({"a": 1}), AAB, 0.0),
    (max_calls_per_tool({"b": 1, "c": 0}), AAB, 1.0),
    (max_calls_per_tool(0), NONE, 1.0),
    (called_together(["a", "b"]), AAB, 1.0),
    (called_together(["b", "c"]), AAB, 0.0),
    (called_together(["x", "y"]), AAB, 1.0),
    (called_together(["a", "b", "c"]), AAB, 0.0),
    (called_together(["a", "b"]), NONE, 1.0),
    (required_before("a", "b"), ABC, 1.0),
    (required_before("b", "a"), ABC, 0.0),
    (required_before("x", "a"), ABC, 0.0),
    (required_before("x", "y"), ABC, 1.0),
    (required_before("a", "b"), NONE, 1.0),
    (forbidden_sequence(["a", "b"]), ABC, 0.0),
    (forbidden_sequence(["a", "c"]), ABC, 1.0),
    (forbidden_sequence(["a", "c"], gaps=True), ABC, 0.0),
    (forbidden_sequence(["a", "a"]), AAB, 0.0),
    (forbidden_sequence(["b", "a"], gaps=True), AAB, 1.0),
    (forbidden_sequence(["a", "b"]), NONE, 1.0),
    (parallel_calls(), at((0, 1), (0, 1), messages=[1, 1]), 1.0),
    (parallel_calls(), at((0, 1), (0, 1), messages=[1, 2]), 0.0),
    (parallel_calls(), at((0, 1500.0), (1, 1.0)), 1.0),
    (parallel_calls(), at((0, 1000.0), (1, 1.0)), 0.0),  # one ends as the next begins
    (parallel_calls(), at((0, None), (1, 1.0)), None),
    (parallel_calls(min=0, max=1), at((0, 1500.0), (1, 1.0)), 0.0),
    (parallel_calls(min=0, max=1), NONE, 1.0),
    (parallel_calls(min=3), at((0, 0.0), (0, 0.0), (0, 5.0)), 1.0),
    (tool_duration(100), at((0, 80.0), (1, 100.0)), 1.0),
    (tool_duration(100), at((0, 80.0), (1, 100.5)), 0.0),
    (tool_duration(100), at((0, None), (1, 100.0)), None),
    (tool_duration(100), at((0, None), (1, 101.0)), 0.0),
    (tool_duration(100, of="all"), at((0, 80.0), (1, 30.0)), 0.0),
    (tool_duration(100, tool_name="x"), at((0, None)), 1.0),
    (tool_duration(0), NONE, 1.0),
]
