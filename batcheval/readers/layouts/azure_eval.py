"""Azure AI's evaluation of agents: a query with its history, and the response under test."""

from collections.abc import Iterator, Mapping
from typing import Any

from batcheval.readers.grammar.completions import expected_calls
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.turns import take_turns
from batcheval.readers.grammar.values import dicts, dig, first, has, parsed, picked
from batcheval.readers.layouts.layout import Layout, Place, Trace

_IDS = ("trace_id", "id", "conversation_id", "thread_id")


def _marks(record: Any) -> int:
    if not has(record, "query", "response"):
        return 0
    lists = [_messages(record[key]) for key in ("query", "response")]
    return 9 if any(has(message, "role") for said in lists for message in dicts(said)) else 0


def _messages(value: Any) -> Any:
    value = parsed(value)
    return value if isinstance(value, list) else None


def _read(record: Any, place: Place) -> Iterator[Trace]:
    if not isinstance(record, Mapping):
        return
    log = Transcript()
    _ask(record.get("query"), log)
    _reply(record.get("response"), log)
    wanted = first(record, "ground_truth", "expected")
    yield log.trace(
        trace_id=first(record, *_IDS),
        started_at=_began(_messages(record.get("response"))),
        expected=wanted,
        expected_tool_calls=expected_calls(first(record, "expected_tool_calls", "expected_calls")),
        context=record.get("context"),
        tool_definitions=record.get("tool_definitions"),
        metadata=picked(record, "metadata"),
    )


def _ask(query: Any, log: Transcript) -> None:
    """The history is told, but its calls and texts are not of the response."""
    past = take_turns(_messages(query) or [{"role": "user", "content": query}])
    log.messages += past.messages
    asked = [message["content"] for message in past.messages if message["role"] == "user"]
    log.input = asked[-1] if asked else ""


def _reply(response: Any, log: Transcript) -> None:
    asked = log.input
    said = _messages(response) or [{"role": "assistant", "content": response}]
    take_turns(map(_told, said), log)
    log.input = asked


def _told(message: Any) -> Any:
    """A result names its call in the message, not in the part."""
    if not has(message, "tool_call_id", "content"):
        return message
    id = message["tool_call_id"]
    content = [{"tool_call_id": id, **part} for part in dicts(message["content"])]
    return {**message, "content": content or message["content"]}


def _began(messages: Any) -> Any:
    return dig(messages, "0.createdAt")


LAYOUT = Layout("azure_eval", "Azure AI agent evaluation data", _marks, _read)
