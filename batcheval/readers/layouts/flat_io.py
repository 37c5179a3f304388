"""Rows of a prompt and what was said to it, under names that the native layout does not know."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from batcheval.readers.grammar.completions import expected_calls
from batcheval.readers.layouts.layout import Layout, Place, Trace
from batcheval.schema.columns import CANONICAL, SYNONYMS

# Names of each column, the surest first; `answer` is the output only where nothing else is.
_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "trace_id": (
        *("trace_id", "id", "uid", "uuid", "sample_id", "example_id", "case_id", "row_id"),
        *("question_id", "prompt_id", "qid", "instance_id", "custom_id"),
    ),
    "input": (
        *("input", "question", "prompt", "query", "instruction", "instructions", "inputs"),
        *("user_input", "user_query", "user_message", "user_prompt", "input_text", "human"),
        *("request", "problem", "problem_statement", "task"),
    ),
    "output": (
        *("actual_output", "model_output", "model_response", "model_answer", "model_prediction"),
        *("prediction", "predicted", "predicted_answer", "pred", "prediction_text", "generation"),
        *("generated_text", "generated_answer", "generated_output", "generated", "llm_output"),
        *("llm_response", "agent_response", "agent_output", "bot_response", "assistant_response"),
        *("final_output", "final_answer", "final_response", "output_text", "response_text"),
        *("output", "response", "completion", "outputs", "article", "hypothesis", "candidate"),
        *("reply", "chosen", "assistant", "answer"),
    ),
    "expected": (
        *("expected", "expected_output", "expected_answer", "expected_response", "ground_truth"),
        *("groundtruth", "ground_truth_answer", "reference", "reference_answer", "references"),
        *("reference_output", "target", "targets", "ideal", "ideal_answer", "gold", "gold_answer"),
        *("golden_answer", "correct_answer", "reference_response", "solution", "label", "answer"),
        *("answers",),
    ),
    "context": ("context", "contexts", "retrieved_contexts", "retrieval_context", "documents"),
}
_EDGES: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\s.-]+")
# What rows of other layouts have, for which a prompt and an answer are a part of the story.
_OTHERS: Final = frozenset(
    {
        *("messages", "conversations", "traj", "spans", "span_id", "parent_id", "events", "type"),
        *("steps", "parts", "choices", "observations", "attributes", "run_type", "role", "history"),
        *("trajectory", "kind", "object", "cases", "eval_id", "trace", "tool_uses", "epoch"),
    }
)


def _marks(record: Any) -> int:
    if not isinstance(record, Mapping) or not _OTHERS.isdisjoint(record):
        return 0
    found = _found(record)
    if "input" not in found or not {"output", "expected"} & found.keys():
        return 0
    if not all(_is_flat(record[found[name]]) for name in ("input", "output") if name in found):
        return 0
    strange = [name for name in ("input", "output", "expected") if _is_strange(name, found)]
    return 6 if "output" in strange else 4 if strange else 1


def _is_strange(column: str, found: Mapping[str, str]) -> bool:
    """Whether the native layout would not find a column under its key."""
    return found.get(column, column) not in (column, *SYNONYMS[column])


def _is_flat(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)


def _found(record: Mapping[str, Any]) -> dict[str, str]:
    """The key that each column has in a record."""
    spelled = {_EDGES.sub("_", key).lower(): key for key in record if isinstance(key, str)}
    found: dict[str, str] = {}
    for column, names in _NAMES.items():
        for name in names:
            if name in spelled and spelled[name] not in found.values():
                found[column] = spelled[name]
                break
    return found


def _read(record: Any, place: Place) -> Iterator[Trace]:
    if not isinstance(record, Mapping):
        return
    found = _found(record)
    row = {column: record[key] for column, key in found.items()}
    same = {key: record[key] for key in record if key in CANONICAL and key not in found.values()}
    known = {*found.values(), *same}
    rest = {key: value for key, value in record.items() if key not in known and _is_flat(value)}
    if calls := expected_calls(row.get("expected")):
        row |= {"expected": None, "expected_tool_calls": calls}
    yield {**same, **row, "metadata": same.get("metadata") or rest or None}


LAYOUT = Layout("flat_io", "Rows of prompt, output and target, variously named", _marks, _read)
