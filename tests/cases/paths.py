from typing import Any

import polars as pl

from batcheval.checks import call_efficiency, handoffs, path_matches, step_count, sub_agents
from tests.cases import Case, Trace, trace

NONE = trace(tool_calls=[])
THREE = trace(tool_calls=["search", "search", "respond"])
ODD = trace(tool_calls=["my.tool", "c d", "mcp__a:b/c-1", "Ä"])

# A task that called two tools, one of which called a third; and one of a parent that is unknown.
NESTED = trace(
    tool_calls=[
        {"name": "task", "id": "1", "state": "ok"},
        {"name": "read", "id": "2", "state": "ok", "parent_id": "1", "agent": "reader"},
        {"name": "grep", "id": "1", "state": "error", "parent_id": "2", "agent": "reader"},
        {"name": "sort", "state": "ok", "parent_id": "1", "agent": "sorter"},
        {"name": "copy", "state": "ok", "parent_id": "elsewhere", "agent": ""},
        {"name": "late", "state": "partial", "parent_id": "1", "agent": "late"},
    ]
)
STEPS = """{"steps": [
    {"name": "plan", "stepType": "model_generation"},
    {"name": "go", "step_type": "agent_run", "children": [
        {"name": "search", "step_type": "tool_call"},
        {"name": "again", "step_type": "agent_run", "children": ["note"]}
    ]}
]}"""
TREE = trace(tool_calls=["search"], trajectory=STEPS)
BROKEN = trace(tool_calls=["search"], trajectory='{"steps": [{"name": "a", "children": 1}]}')


def wanting(path: str | None, *calls: object) -> Trace:
    return trace(tool_calls=list(calls), wanted_path=path)


def of_task(task: str | None, count: int, **fields: Any) -> Trace:
    return trace(task_id=task, tool_calls=["a"] * count, **fields)


WANTED = pl.col("wanted_path")
TABLE = {"a": 2, "b": 0}

DETAILS: dict[str, dict[str, Any]] = {
    "path_matches": {"kept_calls": pl.Int64(), "actual_tools": pl.List(pl.String)},
    "call_efficiency": {"actual_calls": pl.Int64(), "shortest": pl.Int64()},
    "step_count": {"count": pl.Int64()},
    "sub_agents": {
        "count": pl.Int64(),
        "agents": pl.List(pl.String),
        "calls": pl.Int64(),
        "unexpected": pl.List(pl.String),
    },
    "handoffs": {"count": pl.Int64(), "handoffs": pl.List(pl.String)},
}

CASES: list[Case] = [
    (path_matches("search+ (summarize | respond)"), THREE, 1.0),
    (path_matches("search (summarize | respond)"), THREE, 0.0),
    (path_matches("search+"), THREE, 0.0),  # the whole way, not its beginning
    (path_matches(".{3}"), THREE, 1.0),
    (path_matches(".* respond"), THREE, 1.0),
    (path_matches("respond?"), NONE, 1.0),
    (path_matches("."), NONE, 0.0),
    (path_matches(""""my.tool" 'c d' mcp__a:b/c-1 Ä"""), ODD, 1.0),
    (path_matches("search"), trace(tool_calls=["search", ("late", "partial")]), 1.0),
    (path_matches("search respond", ignore=["think"]), trace(tool_calls=["search", "think"]), 0.0),
    (path_matches("search", ignore=["think"]), trace(tool_calls=["think", "search"]), 1.0),
    (path_matches("a* b"), trace(tool_calls=["a"] * 3000 + ["b"]), 1.0),
    (path_matches(WANTED), wanting("a b", "a", "b"), 1.0),
    (path_matches(WANTED), wanting("a b", "a"), 0.0),
    (path_matches(WANTED), wanting("a (", "a"), None),
    (path_matches(WANTED), wanting(None, "a"), None),
    (call_efficiency(TABLE), of_task("a", 4), 0.5),
    (call_efficiency(TABLE), of_task("a", 1), 1.0),  # shorter than the shortest so far
    (call_efficiency(TABLE), of_task("b", 0), 1.0),
    (call_efficiency(TABLE), of_task("b", 3), 0.0),
    (call_efficiency(TABLE), of_task("c", 3), None),
    (call_efficiency(TABLE), of_task(None, 3), None),
    (call_efficiency(3), of_task(None, 4), 0.75),
    (call_efficiency(pl.col("metadata.best")), of_task("a", 4, metadata='{"best": 1}'), 0.25),
    (call_efficiency(pl.col("metadata.best")), of_task("a", 4, metadata='{"best": "x"}'), None),
    (call_efficiency(pl.col("metadata.best")), of_task("a", 4, metadata='{"best": -1}'), None),
    (step_count(max=5), NESTED, 1.0),
    (step_count(max=4), NESTED, 0.0),
    (step_count(min=4, max=4, from_depth=1), NESTED, 1.0),
    (step_count(min=2, max=2, from_depth=2), NESTED, 1.0),  # below the second "1" as well
    (step_count(min=1, max=1, from_depth=3), NESTED, 1.0),
    (step_count(max=0, kind="agent_run"), NESTED, 1.0),
    (step_count(min=5, max=5), TREE, 1.0),
    (step_count(min=2, max=2, kind="agent_run"), TREE, 1.0),
    (step_count(min=1, max=1, kind="agent_run", from_depth=1), TREE, 1.0),
    (step_count(min=1, max=1, from_depth=2), TREE, 1.0),
    (step_count(min=1), trace(tool_calls=["a"], trajectory='{"total_duration_ms": 1}'), 1.0),
    (step_count(max=9), BROKEN, None),
    (step_count(max=9), trace(trajectory="no JSON"), None),
    (step_count(min=1), NONE, 0.0),
    (sub_agents(["reader", "sorter"]), NESTED, 1.0),
    (sub_agents(["reader"]), NESTED, 0.0),
    (sub_agents(min=2, max=2), NESTED, 1.0),
    (sub_agents(max=1), NESTED, 0.0),
    (sub_agents(max_calls=3), NESTED, 1.0),
    (sub_agents(max_calls=2), NESTED, 0.0),
    (sub_agents(["reader"], min=1), NONE, 0.0),
    (sub_agents(max=0), NONE, 1.0),
    (handoffs(max=1), trace(tool_calls=["transfer_to_agent", "Handoff to billing"]), 0.0),
    (handoffs(min=3), trace(tool_calls=["delegate_work", "hand_off", "transfer_back_to_a"]), 1.0),
    (handoffs(max=0), trace(tool_calls=["transfer_money", ("handoff", "partial")]), 1.0),
    (handoffs(min=1, tools=["route"]), trace(tool_calls=["route", "handoff"]), 1.0),
    (handoffs(min=4, max=4, by="agents"), NESTED, 0.0),
    (handoffs(min=3, max=3, by="agents"), NESTED, 1.0),  # main, reader, reader, sorter, main
    (handoffs(max=0, by="agents"), NONE, 1.0),
]
