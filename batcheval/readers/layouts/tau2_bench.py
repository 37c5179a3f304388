"""tau2-bench: results of many simulations with their tasks, or one simulation by itself."""

from collections.abc import Iterator, Mapping
from typing import Any

from batcheval.readers.grammar.chat import transcribe
from batcheval.readers.grammar.completions import expected_calls, seconds
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.values import dicts, dig, has, picked
from batcheval.readers.layouts.layout import Layout, Place, Trace


def _marks(record: Any) -> int:
    if has(record, "simulations"):
        return 10 if has(record, "tasks") or has(record, "info") else 6
    return 9 if has(record, "task_id", "termination_reason") else 0


def _read(record: Any, place: Place) -> Iterator[Trace]:
    if not isinstance(record, Mapping):
        return
    tasks = {str(task.get("id")): task for task in dicts(record.get("tasks"))}
    agent = dig(record, "info.agent_info.llm")
    simulations = record.get("simulations", [record])
    for simulation in dicts(simulations):
        task = tasks.get(str(simulation.get("task_id")), {})
        yield _trace(simulation, task) | {"model": agent}


def _trace(simulation: Mapping[str, Any], task: Mapping[str, Any]) -> Trace:
    messages = list(dicts(simulation.get("messages")))
    reason = str(simulation.get("termination_reason") or "")
    wanted = task.get("evaluation_criteria")
    told = dig(wanted, "communicate_info")
    return _taken(messages).trace(
        trace_id=simulation.get("id"),
        task_id=simulation.get("task_id"),
        trial=simulation.get("trial"),
        expected="\n".join(map(str, told)) if isinstance(told, list) and told else None,
        expected_tool_calls=expected_calls([*filter(_by_agent, dicts(dig(wanted, "actions")))]),
        error=reason if "error" in reason else None,
        cost=simulation.get("agent_cost"),
        latency_ms=seconds(simulation.get("duration")),
        started_at=simulation.get("start_time"),
        input_tokens=_tokens(messages, "prompt_tokens"),
        output_tokens=_tokens(messages, "completion_tokens"),
        labels=picked(simulation, "reward_info"),
        metadata=picked(simulation, "termination_reason", "seed", "user_cost", "mode"),
    )


def _taken(messages: list[Mapping[str, Any]]) -> Transcript:
    """The talk; the simulated user calls tools too, which are none of the agent's."""
    log = Transcript()
    for message in messages:
        several = message.get("tool_messages")
        for said in dicts(several) if isinstance(several, list) else (message,):
            if _by_agent(said):
                transcribe([_told(said)], log)
    return log


def _told(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message with its calls of the agent alone, and a result's `id` where OpenAI has it."""
    calls = [*filter(_by_agent, dicts(message.get("tool_calls")))]
    if message.get("role") == "user":
        calls = []
    return {**message, "tool_calls": calls, "tool_call_id": message.get("id")}


def _by_agent(thing: Mapping[str, Any]) -> bool:
    return thing.get("requestor") in ("assistant", None)


def _tokens(messages: list[Mapping[str, Any]], name: str) -> int | None:
    """What the agent's own messages used."""
    spent = [dig(m, f"usage.{name}") for m in messages if m.get("role") == "assistant"]
    counts = [count for count in spent if isinstance(count, int)]
    return sum(counts) if counts else None


LAYOUT = Layout("tau2_bench", "tau2-bench results and simulations", _marks, _read)
