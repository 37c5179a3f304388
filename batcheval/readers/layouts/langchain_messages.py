"""Messages of LangChain: dumped objects, `messages_to_dict`, and the state of a graph."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from batcheval.readers.grammar.chat import transcribe
from batcheval.readers.grammar.message_shapes import as_messages
from batcheval.readers.grammar.observations import an_object
from batcheval.readers.grammar.payloads import messages_in
from batcheval.readers.grammar.repeats import once
from batcheval.readers.grammar.values import dicts, dig, first, has
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_TYPES: Final = ("human", "ai", "system", "tool", "function", "AIMessageChunk")
_HOLDERS: Final = ("messages", "values.messages", "output.messages", "channel_values.messages")


def _marks(record: Any) -> int:
    if isinstance(record, Mapping):
        mark = _mark(record)
        return mark or max((_mark(m) for m in dicts(_messages(record))), default=0)
    return max((_mark(message) for message in dicts(record)), default=0)


def _mark(message: Mapping[str, Any]) -> int:
    if has(message, "lc", "kwargs"):
        return 9 if as_messages(message) else 0
    if message.get("type") not in _TYPES or has(message, "role"):
        return 0
    return 9 if isinstance(message.get("data"), Mapping) else 7 if "content" in message else 0


def _messages(record: Mapping[str, Any]) -> Any:
    found = (dig(record, path) for path in _HOLDERS)
    return next((held for held in found if isinstance(held, list)), None)


def _read(record: Any, place: Place) -> Iterator[Trace | Piece]:
    if isinstance(record, Mapping) and _mark(record):
        yield Piece(place.source, dict(record))
        return
    about = {} if isinstance(record, list) else an_object(record)
    messages = _messages(about) if about else record
    if isinstance(messages, list):
        yield transcribe(messages_in(messages)).trace(
            trace_id=first(about, "trace_id", "thread_id", "id"),
            metadata=about.get("metadata"),
        )


def _join(key: str, messages: list[Any]) -> Iterator[Trace]:
    said = once(once(messages, "data.id", "type"), "id", "type")
    yield transcribe(messages_in(said)).trace(trace_id=Place(key, 1).stem)


LAYOUT = Layout("langchain_messages", "Messages of LangChain and LangGraph", _marks, _read, _join)
