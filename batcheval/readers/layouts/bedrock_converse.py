"""Messages of Bedrock's Converse API, as Strands agents keep them, also several by name."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.chat import transcribe
from batcheval.readers.grammar.usage import Usage
from batcheval.readers.grammar.values import dicts, dig, first, has, text_in
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_BLOCKS: Final = ("text", "toolUse", "toolResult", "reasoningContent", "image", "document")


def _marks(record: Any) -> int:
    if _is_message(record):
        return 6
    if has(record, "output") and _is_message(dig(record, "output.message")):
        return 9
    if has(record, "messages"):
        return 6 if _is_list(record["messages"]) else 0
    named = list(record.values()) if isinstance(record, dict) else []
    is_named = bool(named) and all(has(c, "messages") and _is_list(c["messages"]) for c in named)
    return 8 if is_named else 0


def _is_list(messages: Any) -> bool:
    """Whether these are Bedrock's messages: some surely, and the others as empty as they may be."""
    contents = [message.get("content") for message in dicts(messages)]
    return all(isinstance(c, list) for c in contents) and any(map(_is_message, dicts(messages)))


def _is_message(message: Any) -> bool:
    content = dig(message, "content")
    if not isinstance(content, list) or not has(message, "role") or has(message, "type"):
        return False
    return bool(content) and all(
        isinstance(b, dict) and "type" not in b and any(k in b for k in _BLOCKS) for b in content
    )


def _read(record: Any, place: Place) -> Iterator[Trace | Piece]:
    if has(record, "role", "content"):
        yield Piece(place.source, record)
    elif has(record, "messages") or has(record, "output"):
        yield _trace(record)
    elif isinstance(record, dict):
        for name, conversation in record.items():
            if isinstance(conversation, dict):
                yield _trace(conversation, trace_id=name)


def _trace(record: Any, **fields: Any) -> Trace:
    usage = Usage()
    usage.add(record.get("usage"))
    system = text_in(first(record, "system_prompt", "system"))
    prompt = [{"role": "system", "content": system}] if system else []
    said = [*dicts(record.get("messages")), *dicts([dig(record, "output.message")])]
    return transcribe([*prompt, *said]).trace(
        trace_id=fields.get("trace_id") or record.get("id"),
        model=first(record, "modelId", "model"),
        latency_ms=dig(record, "metrics.latencyMs"),
        tool_definitions=dig(record, "toolConfig.tools"),
        **usage.fields,
    )


def _join(key: str, messages: list[Any]) -> Iterator[Trace]:
    yield transcribe(messages).trace(trace_id=Place(key, 1).stem)


LAYOUT = Layout("bedrock_converse", "Bedrock Converse and Strands messages", _marks, _read, _join)
