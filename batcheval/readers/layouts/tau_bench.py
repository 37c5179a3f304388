"""tau-bench: results, one conversation each, and dialogues written down for few-shot prompts."""

from collections.abc import Iterator, Mapping
from typing import Any

from batcheval.readers.grammar.chat import transcribe
from batcheval.readers.grammar.completions import expected_calls
from batcheval.readers.grammar.values import dicts, dig, has, parsed, picked
from batcheval.readers.layouts.layout import Layout, Place, Trace


def _marks(record: Any) -> int:
    if has(record, "traj"):
        return 10 if has(record, "reward") or has(record, "task_id") else 7
    return 9 if has(record, "messages_display") else 0


def _read(record: Any, place: Place) -> Iterator[Trace]:
    if has(record, "traj"):
        yield _result(record)
    elif has(record, "messages_display"):
        yield _dialogue(str(record["messages_display"]))


def _result(record: Mapping[str, Any]) -> Trace:
    task, trial = record.get("task_id"), record.get("trial")
    info = record.get("info")
    outputs = dig(info, "task.outputs")
    return transcribe(dicts(parsed(record["traj"]))).trace(
        trace_id=None if task is None else str(task) if trial is None else f"{task}/{trial}",
        task_id=task,
        trial=trial,
        expected="\n".join(map(str, outputs)) if isinstance(outputs, list) and outputs else None,
        expected_tool_calls=expected_calls(dig(info, "task.actions")),
        error=dig(info, "error"),
        labels=picked(record, "reward"),
        metadata={"user_id": dig(info, "task.user_id"), "user_cost": dig(info, "user_cost")},
    )


def _dialogue(text: str) -> Trace:
    """A dialogue is one text; who says what cannot be told for sure."""
    opening = text.split("\nassistant:", 1)[0]
    return {"input": opening.removeprefix("user:").strip(), "output": text}


LAYOUT = Layout("tau_bench", "tau-bench results and few-shot dialogues", _marks, _read)
