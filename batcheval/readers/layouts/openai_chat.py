"""OpenAI chat messages: conversations, requests with their response, completions, preferences."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from batcheval.readers.grammar.completions import expected_calls, is_completion, replies
from batcheval.readers.grammar.turns import CALLERS, take_turns
from batcheval.readers.grammar.usage import tokens
from batcheval.readers.grammar.values import dig, first, has, parsed, picked, text_in
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_ROLES: Final = ("system", "developer", "user", "assistant", "tool", "function", *CALLERS)
# Where a record has what was said, and where the reply, if that stands apart.
_ASKED: Final = (
    *("messages", "request.messages", "request.body.messages", "body.messages"),
    *("input.messages", "conversation.messages", "prompt", "conversation"),
)
_PLAIN: Final = frozenset(
    ("messages", "trace_id", "id", "model", "tools", "functions", "metadata", "parallel_tool_calls")
)
_REPLIED: Final = ("response", "completion", "preferred_output", "chosen")
_EXPECTED: Final = ("expected", "ground_truth", "reference", "target", "ideal", "expected_output")
_LABELS: Final = ("labels", "label", "reward", "score", "scores", "rating")


def _marks(record: Any) -> int:
    if _is_message(record):
        return 4
    if is_completion(record):
        return 8
    if has(record, "chosen", "rejected") or has(record, "preferred_output"):
        return 6
    if not any(map(_is_message, _asked(record))):
        return int(has(record, "messages") and record["messages"] == [])
    return 3 if has(record, "output") or has(record, "tool_calls") else 5


def _is_message(record: Any) -> bool:
    if not has(record, "role") or record["role"] not in _ROLES or has(record, "parts"):
        return False
    return not isinstance(record.get("content"), Mapping)


def _asked(record: Any) -> list[Any]:
    """The messages of a record, a list of them or an object that has one somewhere."""
    if isinstance(record, list):
        return record
    lists = (parsed(dig(record, path)) for path in _ASKED)
    return next((found for found in lists if isinstance(found, list)), [])


def _read(record: Any, place: Place) -> list[Trace | Piece]:
    if _is_message(record):
        return [Piece(place.source, record)]
    if isinstance(record, list):
        return [take_turns(record).trace()]
    return [_trace(record)] if isinstance(record, dict) else []


def _trace(record: Mapping[str, Any]) -> Trace:
    if record.keys() <= _PLAIN and isinstance(record.get("messages"), list):
        return take_turns(record["messages"]).trace(
            trace_id=first(record, "trace_id", "id"),
            model=record.get("model"),
            tool_definitions=first(record, "tools", "functions"),
            metadata=record.get("metadata"),
        )
    return _replied(record)


def _replied(record: Mapping[str, Any]) -> Trace:
    response = record if is_completion(record) else parsed(first(record, *_REPLIED))
    asked, said = _asked(record), replies(response)
    log = take_turns(asked)
    if isinstance(record.get("prompt"), str):
        log.say("user", record["prompt"])
    take_turns(said[-1:] if log.messages and "chosen" in record else said, log)
    about = {**response, **record} if isinstance(response, Mapping) else record
    wanted = first(record, *_EXPECTED)
    calls = expected_calls(wanted)
    return log.trace(
        **picked(record, "task_id", "trial", "cost", "error", "latency_ms") or {},
        trace_id=first(about, "trace_id", "id"),
        model=about.get("model"),
        started_at=about.get("created"),
        expected=None if calls else wanted,
        expected_tool_calls=calls or record.get("expected_tool_calls"),
        tool_definitions=first(about, "tools", "functions"),
        labels=picked(record, *_LABELS),
        metadata=_metadata(record),
        **tokens(about.get("usage")),
    )


def _metadata(record: Mapping[str, Any]) -> Any:
    rejected = replies(first(record, "non_preferred_output", "rejected"))[-1:]
    if not rejected:
        return record.get("metadata")
    said = text_in(rejected[0].get("content")) if isinstance(rejected[0], Mapping) else ""
    return {"rejected": said, "metadata": record.get("metadata")}


def _join(key: str, messages: list[Any]) -> Iterator[Trace]:
    yield take_turns(messages).trace(trace_id=Place(key, 1).stem)


LAYOUT = Layout(
    "openai_chat", "OpenAI chat messages, fine-tuning files among them", _marks, _read, _join
)
