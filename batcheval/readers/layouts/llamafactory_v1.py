"""LLaMA-Factory v1: messages whose content is a list of `type` and `value`."""

from collections.abc import Iterator, Mapping
from typing import Any

from batcheval.readers.grammar.chat import transcribe
from batcheval.readers.grammar.values import as_text, dicts, dig, first, has, parsed
from batcheval.readers.layouts.layout import Layout, Place, Trace


def _marks(record: Any) -> int:
    messages = dicts(parsed(dig(record, "messages")))
    parts = (part for message in messages for part in dicts(message.get("content")))
    return 8 if any(has(part, "type", "value") and "text" not in part for part in parts) else 0


def _read(record: Any, place: Place) -> Iterator[Trace]:
    if not isinstance(record, Mapping):
        return
    messages = map(_message, dicts(parsed(record.get("messages"))))
    yield transcribe(messages).trace(
        trace_id=first(record, "id", "trace_id"), tool_definitions=record.get("tools")
    )


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    parts = [*map(_part, dicts(message.get("content")))]
    return {**message, "content": parts or message.get("content")}


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    """A part as OpenAI's and Anthropic's messages have it; of no interest is `reasoning`."""
    kind, value = part.get("type"), part.get("value")
    if kind == "tool_call":
        call = parsed(value)
        call = call if isinstance(call, Mapping) else {"name": None, "arguments": value}
        return {**call, "type": "tool_call"}
    if kind == "tool_result":
        return {"type": "tool_result", "content": value}
    return {"type": kind, "text": as_text(value)}


LAYOUT = Layout("llamafactory_v1", "LLaMA-Factory v1 messages", _marks, _read)
