"""Trajectories in the Agent Trajectory Interchange Format (ATIF), as Harbor writes them."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.usage import Usage
from batcheval.readers.grammar.values import dicts, dig, first, has, text_in
from batcheval.readers.layouts.layout import Layout, Place, Trace

_ROLES: Final = {"agent": "assistant"}
_TOTALS: Final = {
    "input_tokens": "total_prompt_tokens",
    "output_tokens": "total_completion_tokens",
    "cached_tokens": "total_cached_tokens",
}
_NAMED: Final = ("name", "version")


def _marks(record: Any) -> int:
    if _is_trajectory(record):
        return 10
    values = list(record.values()) if isinstance(record, dict) else []
    return 9 if values and all(map(_is_trajectory, values)) else 0


def _is_trajectory(record: Any) -> bool:
    return has(record, "schema_version") and str(record["schema_version"]).startswith("ATIF")


def _read(record: Any, place: Place) -> Iterator[Trace]:
    """A trajectory, then those of its sub-agents, a trace each; or all those of a document."""
    if not isinstance(record, dict):
        return
    waiting = [record] if _is_trajectory(record) else [*dicts([*record.values()])][::-1]
    while waiting:
        trajectory = waiting.pop()
        if not isinstance(trajectory.get("steps"), list):
            raise ValueError("a trajectory without steps")
        yield _trace(trajectory)
        waiting += [*dicts(trajectory.get("subagent_trajectories"))][::-1]


def _trace(trajectory: Any) -> Trace:
    log, usage = Transcript(), Usage()
    steps = [*dicts(trajectory["steps"])]
    for step in steps:
        _take(step, log, is_copy=step.get("is_copied_context") is True)
        usage.add(step.get("metrics"), dig(step, "metrics.cost_usd"))
    total, agent = trajectory.get("final_metrics"), trajectory.get("agent")
    if isinstance(total, dict):  # of the whole run, so that steps without counts are in it
        usage = Usage()
        usage.add({name: total.get(key) for name, key in _TOTALS.items()})
        usage.add(None, total.get("total_cost_usd"))
    return log.trace(
        trace_id=first(trajectory, "trajectory_id", "session_id"),
        model=dig(agent, "model_name")
        or next((m for s in steps if (m := s.get("model_name"))), None),
        tool_definitions=dig(agent, "tool_definitions"),
        started_at=next((time for step in steps if (time := step.get("timestamp"))), None),
        metadata={f"agent_{key}": dig(agent, key) for key in _NAMED},
        **usage.fields,
    )


def _take(step: Any, log: Transcript, is_copy: bool) -> None:
    source = str(step.get("source"))
    log.say(_ROLES.get(source, source), text_in(step.get("message")))
    calls = [] if is_copy else [*dicts(step.get("tool_calls"))]
    for call in calls:
        time = step.get("timestamp")
        name, args = call.get("function_name"), call.get("arguments")
        log.call(name, args, call.get("tool_call_id"), started_at=time)
    for result in dicts(dig(step, "observation.results")):
        content, id = result.get("content"), result.get("source_call_id")
        only = calls[0].get("tool_call_id") if len(calls) == 1 else None
        said = content if isinstance(content, str) else text_in(content) or content
        if id is None and only is None:
            log.say("tool", text_in(said))
        else:
            log.answer(said, id if id is not None else only)


LAYOUT = Layout("atif", "ATIF trajectories, as Harbor writes them", _marks, _read)
