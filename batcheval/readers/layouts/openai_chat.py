"""OpenAI chat messages: `{"messages": […]}` a record, or a file that is one bare list of them."""

from collections.abc import Iterator
from typing import Any

from batcheval.readers.grammar.chat import transcribe
from batcheval.readers.grammar.values import dicts, dig, first, has
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_ROLES = ("system", "developer", "user", "assistant", "tool", "function")


def _marks(record: Any) -> int:
    if _is_message(record):
        return 4
    messages = record if isinstance(record, list) else dig(record, "messages")
    if not any(map(_is_message, dicts(messages))):
        return 0
    return 3 if has(record, "output") or has(record, "tool_calls") else 5


def _is_message(record: Any) -> bool:
    return has(record, "role") and record["role"] in _ROLES and not has(record, "parts")


def _read(record: Any, place: Place) -> Iterator[Trace | Piece]:
    if _is_message(record):
        yield Piece(place.source, record)
        return
    messages = record if isinstance(record, list) else record.get("messages")
    about = record if isinstance(record, dict) else {}
    yield transcribe(dicts(messages)).trace(
        trace_id=first(about, "trace_id", "id"),
        model=about.get("model"),
        tool_definitions=first(about, "tools", "functions"),
        metadata=about.get("metadata"),
    )


def _join(key: str, messages: list[Any]) -> Iterator[Trace]:
    yield transcribe(messages).trace(trace_id=Place(key, 1).stem)


LAYOUT = Layout(
    "openai_chat", "OpenAI chat messages, fine-tuning files among them", _marks, _read, _join
)
