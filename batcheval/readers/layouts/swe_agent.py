"""SWE-agent trajectories (`.traj`), and those of mini-swe-agent."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from batcheval.readers.grammar.completions import seconds
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.turns import take_turns
from batcheval.readers.grammar.values import dicts, dig, first, has, picked
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_TELLING: Final = ("message_type", "is_demo", "agent", "thought", "tool_call_ids")


def _marks(record: Any) -> int:
    if not isinstance(record, Mapping):
        return 0
    if has(record, "trajectory", "history"):
        return 10
    if str(record.get("trajectory_format")).startswith("mini-swe-agent"):
        return 10
    said = [m for m in dicts(record.get("history")) if "role" in m]
    return 9 if any(key in message for message in said for key in _TELLING) else 0


def _read(record: Any, place: Place) -> Iterator[Trace | Piece]:
    if has(record, "history"):
        yield _traj(record, place.stem.removesuffix(".traj"))
    elif has(record, "messages"):
        yield _trace(
            record, take_turns(dicts(record["messages"])), place.stem.removesuffix(".traj")
        )
    elif has(record, "role"):
        yield Piece(place.source, record)


def _traj(record: Mapping[str, Any], stem: str) -> Trace:
    """Where no message has calls, each step that acts is one, named by its first word."""
    own = [m for m in dicts(record["history"]) if not m.get("is_demo")]
    steps = [step for step in dicts(record.get("trajectory")) if _action(step)]
    if any(message.get("tool_calls") for message in own):
        log = take_turns(map(_paired, own))
        if len(steps) == len(log.calls):
            for call, step in zip(log.calls, steps, strict=True):
                call["duration_ms"] = seconds(step.get("execution_time"))
    else:
        log = take_turns(own)
        _act(steps, log)
    return _trace(record, log, stem)


def _paired(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """A result names the calls that it answers in a list."""
    ids = message.get("tool_call_ids")
    return {**message, "tool_call_id": ids[0]} if isinstance(ids, list) and ids else message


def _action(step: Mapping[str, Any]) -> str:
    action = step.get("action")
    return action.strip() if isinstance(action, str) else ""


def _act(steps: list[Mapping[str, Any]], log: Transcript) -> None:
    said = [place for place, m in enumerate(log.messages) if m["role"] == "assistant"]
    for number, step in enumerate(steps):
        log.call(
            _action(step).split(None, 1)[0],
            {"action": step["action"]},
            message=said[number] if len(said) == len(steps) else None,
            result=step.get("observation"),
            duration_ms=seconds(step.get("execution_time")),
        )


def _trace(record: Mapping[str, Any], log: Transcript, stem: str) -> Trace:
    info = record.get("info")
    info = info if isinstance(info, Mapping) else {}
    ended = first(info, "exit_status")
    good = ended is None or str(ended).lower().startswith("submitted")
    return log.trace(
        trace_id=first(record, "instance_id") or first(info, "instance_id") or stem,
        task_id=first(record, "instance_id"),
        model=dig(info, "config.model.model_name"),
        error=None if good else str(ended),
        cost=dig(info, "model_stats.instance_cost"),
        input_tokens=dig(info, "model_stats.tokens_sent") or None,
        output_tokens=dig(info, "model_stats.tokens_received") or None,
        metadata=picked(info, "exit_status", "submission", "swe_agent_version", "mini_version"),
    )


def _join(key: str, messages: list[Any]) -> Iterator[Trace]:
    yield take_turns(messages).trace(trace_id=Place(key, 1).stem.removesuffix(".traj"))


LAYOUT = Layout("swe_agent", "SWE-agent and mini-swe-agent trajectories", _marks, _read, _join)
