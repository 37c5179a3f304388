"""Messages of Bedrock's Converse API, as Strands agents keep them; several by name in a document."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.chat import transcribe
from batcheval.readers.grammar.usage import Usage
from batcheval.readers.grammar.values import dicts, dig, first, has, text_in
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_BLOCKS: Final = ("text", "toolUse", "toolResult", "reasoningContent", "image", "document")
_TOOLS: Final = ("toolUse", "toolResult")


def _marks(record: Any) -> int:
    if _is_message(record):
        return 6
    if has(record, "output") and _is_message(dig(record, "output.message")):
        return 9
    if has(record, "messages"):
        return 6 if _is_list(record["messages"]) else 0
    conversations = list(record.values()) if isinstance(record, dict) and record else [None]
    return 8 if all(has(c, "messages") and _is_list(c["messages"]) for c in conversations) else 0


def _is_list(messages: Any) -> bool:
    """Whether these are Bedrock's messages, of which one has a block that no other writer has."""
    if not isinstance(messages, list) or not messages or not all(map(_is_message, messages)):
        return False
    return any(has(block, key) for m in messages for block in m["content"] for key in _TOOLS) or (
        not any(has(block, "type") for m in messages for block in m["content"])
    )


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


LAYOUT = Layout(
    "bedrock_converse", "Bedrock Converse and Strands messages", _marks, _read, _join
)
