"""The trajectory match of agentevals, on messages in the form of OpenAI."""

import json
from collections.abc import Callable
from typing import Any

from agentevals.trajectory.match import create_trajectory_match_evaluator

Rows = list[dict[str, Any]]


def matched(mode: Any) -> Callable[[Rows], Any]:
    judge = create_trajectory_match_evaluator(trajectory_match_mode=mode)

    def job(rows: Rows) -> Callable[[], list[float]]:
        pairs = [(said(row["tool_calls"]), said(row["expected_tool_calls"])) for row in rows]
        return lambda: [
            judge(outputs=made, reference_outputs=wanted)["score"] for made, wanted in pairs
        ]

    return job


def said(calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    made = [
        {"function": {"name": call["name"], "arguments": json.dumps(call["args"])}}
        for call in calls
    ]
    return [{"role": "assistant", "content": "", "tool_calls": made}]


JOBS = {
    "tools_exact": matched("strict"),
    "tools_any_order": matched("unordered"),
    "tools_subset": matched("subset"),
    "tools_superset": matched("superset"),
}
