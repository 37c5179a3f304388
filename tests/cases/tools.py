from typing import Any

import polars as pl

from batcheval.checks import (
    called_tool,
    did_not_call,
    max_tool_calls,
    no_tool_errors,
    tool_order,
    used_no_tools,
)
from tests.cases import Case, trace

WANTED = pl.col("wanted")
ORDER = pl.col("expected_tool_calls")
NONE = trace(tool_calls=[])
NULL = trace(tool_calls=None)
THREE = trace(tool_calls=["search", "read", "search"])
FAILED = trace(tool_calls=["search", ("read", "error")])
STATES = trace(tool_calls=[("a", s) for s in ("ok", "error", "pending", "denied", "partial")])
NAMELESS = trace(tool_calls=[(None, "ok"), ("", "ok"), "search"])
ODD = trace(tool_calls=["a\x1f\x1fb", "c d", "e.*", "Ä", "🙂", "'", '"'])


def wanting(wanted: object, *calls: object) -> dict[str, object]:
    return trace(tool_calls=list(calls), wanted=wanted)


def ordered(text: str | None, *calls: object) -> dict[str, object]:
    return trace(tool_calls=list(calls), expected_tool_calls=text)


_TOOLS = {"actual_tools": pl.List(pl.String)}
_COUNT = {"actual_count": pl.Int64()}
DETAILS: dict[str, dict[str, Any]] = {
    "called_tool": _COUNT | _TOOLS,
    "did_not_call": _COUNT | _TOOLS,
    "tool_order": _TOOLS,
    "max_tool_calls": _COUNT,
    "used_no_tools": _COUNT | _TOOLS,
    "no_tool_errors": {
        "error_count": pl.Int64(),
        "total_calls": pl.Int64(),
        "failed_tools": pl.List(pl.String),
    },
}

CASES: list[Case] = [
    # called_tool
    (called_tool("search"), THREE, 1.0),
    (called_tool("Search"), THREE, 0.0),  # case counts
    (called_tool("sear"), THREE, 0.0),
    (called_tool("search", times=2), THREE, 1.0),
    (called_tool("search", times=3), THREE, 0.0),
    (called_tool("read", times=2), THREE, 0.0),
    (called_tool("search"), NONE, 0.0),
    (called_tool("search"), NULL, 0.0),
    (called_tool("search"), trace(), 0.0),
    (called_tool("search"), NAMELESS, 1.0),
    (called_tool("a", times=4), STATES, 1.0),
    (called_tool("a", times=5), STATES, 0.0),  # the partial one is no call
    (called_tool("a"), trace(tool_calls=[("a", "partial")]), 0.0),
    (called_tool(" "), trace(tool_calls=[" "]), 1.0),
    (called_tool("a\x1f\x1fb"), ODD, 1.0),
    (called_tool("a"), ODD, 0.0),
    (called_tool("e.*"), ODD, 1.0),
    (called_tool("🙂"), ODD, 1.0),
    (called_tool(WANTED), wanting("search", "search"), 1.0),
    (called_tool(WANTED), wanting("Search", "search"), 0.0),
    (called_tool(WANTED), wanting("search", "research"), 0.0),
    (called_tool(WANTED), wanting("a", "a\x1f\x1fb", " a ", "61"), 0.0),
    (called_tool(WANTED), wanting("a b", "a", "b"), 0.0),
    (called_tool(WANTED), wanting("🙂", "🙂"), 1.0),
    (called_tool(WANTED, times=2), wanting("a", "a", "b", "a"), 1.0),
    (called_tool(WANTED, times=3), wanting("a", "a", "a", ("a", "partial")), 0.0),
    (called_tool(WANTED), wanting("search"), 0.0),
    (called_tool(WANTED), wanting(None, "search"), None),
    (called_tool(WANTED), wanting("", "search"), None),
    (called_tool(pl.lit("read")), THREE, 1.0),
    # did_not_call
    (did_not_call("refund"), THREE, 1.0),
    (did_not_call("read"), THREE, 0.0),
    (did_not_call("READ"), THREE, 1.0),
    (did_not_call("a"), trace(tool_calls=[("a", "partial")]), 1.0),
    (did_not_call("a"), trace(tool_calls=[("a", "denied")]), 0.0),
    (did_not_call("search"), NULL, 1.0),
    (did_not_call(WANTED), wanting("refund", "search"), 1.0),
    (did_not_call(WANTED), wanting("search", "search"), 0.0),
    (did_not_call(WANTED), wanting("search"), 1.0),
    (did_not_call(WANTED), wanting(None, "search"), None),
    (did_not_call(WANTED), wanting("", "search"), None),
    # tool_order
    (tool_order(["search", "read"]), THREE, 1.0),
    (tool_order(["read", "search"]), THREE, 1.0),
    (tool_order(("search", "search")), THREE, 1.0),  # others may lie between
    (tool_order(["read", "read"]), THREE, 0.0),  # twice asked is twice called
    (tool_order(["search", "read", "search"]), THREE, 1.0),
    (tool_order(["search", "search", "read"]), THREE, 0.0),
    (tool_order(["search", "read", "search", "read"]), THREE, 0.0),
    (tool_order(["Search"]), THREE, 0.0),
    (tool_order([]), THREE, 1.0),
    (tool_order([]), NONE, 1.0),
    (tool_order([]), NULL, 1.0),
    (tool_order(["search"]), NULL, 0.0),
    (tool_order(["a", "b"]), trace(tool_calls=["a", ("b", "partial")]), 0.0),
    (tool_order(["a", "b"]), trace(tool_calls=["a", ("b", "error")]), 1.0),
    (tool_order(["a", "b"]), ODD, 0.0),
    (tool_order(["a\x1f\x1fb", "e.*", "🙂"]), ODD, 1.0),
    (tool_order(["c", "d"]), ODD, 0.0),
    (tool_order(["a", "b"]), trace(tool_calls=["a"] * 3000 + ["b"]), 1.0),
    (tool_order(WANTED), wanting(["a", "b"], "a", "c", "b"), 1.0),
    (tool_order(WANTED), wanting(["b", "a"], "a", "c", "b"), 0.0),
    (tool_order(WANTED), wanting(["a", "a"], "a", "c", "b"), 0.0),
    (tool_order(WANTED), wanting(["a"]), 0.0),
    (tool_order(WANTED), wanting([], "a"), 1.0),
    (tool_order(WANTED), wanting(None, "a"), None),
    (tool_order(WANTED), wanting(["a", None], "a"), None),
    (tool_order(WANTED), wanting(["a", ""], "a"), None),
    (tool_order(ORDER), ordered('["a", "b"]', "a", "b"), 1.0),
    (tool_order(ORDER), ordered('["b", "a"]', "a", "b"), 0.0),
    (tool_order(ORDER), ordered(' [ "\\u0061" , "b\\n" ] ', "a", "b\n"), 1.0),
    (tool_order(ORDER), ordered('[{"name": "a", "args": {}}, "b"]', "a", "b"), 1.0),
    (tool_order(ORDER), ordered('[{"toolName": "a"}, {"tool_name": "b"}]', "a", "b"), 1.0),
    (tool_order(ORDER), ordered('[{"function": {"name": "a"}}]', "b"), 0.0),
    (tool_order(ORDER), ordered("[]", "a"), 1.0),
    (tool_order(ORDER), ordered(None, "a"), None),
    (tool_order(ORDER), ordered('[{"args": {}}]', "a"), None),
    (tool_order(ORDER), ordered('["a", ""]', "a"), None),
    (tool_order(ORDER), ordered('["a", null]', "a"), None),
    (tool_order(ORDER), ordered('["a", 1]', "a"), None),
    (tool_order(WANTED), wanting('["a"]', "a"), 1.0),
    (tool_order(WANTED), wanting("a, b", "a", "b"), None),
    (tool_order(WANTED), wanting("", "a"), None),
    (tool_order(WANTED), wanting("null", "a"), None),
    (tool_order(WANTED), wanting("[" * 5000, "a"), None),
    # max_tool_calls
    (max_tool_calls(3), THREE, 1.0),  # inclusive
    (max_tool_calls(2), THREE, 0.0),
    (max_tool_calls(0), NONE, 1.0),
    (max_tool_calls(0), NULL, 1.0),
    (max_tool_calls(0), THREE, 0.0),
    (max_tool_calls(4), STATES, 1.0),
    (max_tool_calls(3), STATES, 0.0),
    (max_tool_calls(1), NAMELESS, 1.0),  # without a name it is not counted
    (max_tool_calls(0), NAMELESS, 0.0),
    (max_tool_calls(99), trace(tool_calls=["a"] * 100), 0.0),
    # used_no_tools
    (used_no_tools(), NONE, 1.0),
    (used_no_tools(), NULL, 1.0),
    (used_no_tools(), trace(), 1.0),
    (used_no_tools(), THREE, 0.0),
    (used_no_tools(), FAILED, 0.0),
    (used_no_tools(), trace(tool_calls=[("a", "partial"), (None, "error")]), 1.0),
    (used_no_tools(), trace(tool_calls=[("a", "denied")]), 0.0),
    # no_tool_errors
    (no_tool_errors(), THREE, 1.0),
    (no_tool_errors(), NONE, 1.0),
    (no_tool_errors(), NULL, 1.0),
    (no_tool_errors(), FAILED, 0.0),
    (no_tool_errors(), STATES, 0.0),
    (no_tool_errors(), trace(tool_calls=[("a", "pending")]), 0.0),
    (no_tool_errors(), trace(tool_calls=[("a", "denied"), ("b", "partial")]), 1.0),
    (no_tool_errors(), trace(tool_calls=[(None, "error")]), 0.0),  # errors need no name
    (no_tool_errors(), trace(tool_calls=[("", "pending"), "a"]), 0.0),
    (no_tool_errors(), NAMELESS, 1.0),
]
