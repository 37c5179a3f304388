"""The stream of a UI message of the AI SDK: a chunk a record, folded by ids."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.repeats import unrepeated
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.values import as_text, has
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

# Of each chunk on a tool call: the state that it brings the call into.
_STATES: Final = {
    "tool-input-start": "input-streaming",
    "tool-input-available": "input-available",
    "tool-input-error": "output-error",
    "tool-approval-request": "approval-requested",
    "tool-output-available": "output-available",
    "tool-output-error": "output-error",
    "tool-output-denied": "output-denied",
}
_FIELDS: Final = {
    "toolName": "name",
    "input": "args",
    "output": "result",
    "errorText": "error",
}
_ID: Final = frozenset({"messageId", "toolCallId"})
_TEXTS: Final = ("text-start", "text-delta", "text-end")
_OTHERS: Final = ("start", "finish", "start-step", "finish-step", "abort", "error")


def _marks(record: Any) -> int:
    if not has(record, "type"):
        return 0
    kind = record["type"]
    if not isinstance(kind, str):
        return 0
    if kind in _STATES or kind == "tool-input-delta":
        return 9 if has(record, "toolCallId") else 0
    if kind in _TEXTS or kind.startswith("reasoning-"):
        return 8 if has(record, "id") else 0
    is_data = kind.startswith("data-") and has(record, "data")
    return 3 if is_data or (kind in _OTHERS and not has(record, "sessionID")) else 0


def _read(record: Any, place: Place) -> Iterator[Piece]:
    if has(record, "type") and isinstance(record["type"], str):
        yield Piece(place.source, record)


def _join(key: str, chunks: list[Any]) -> Iterator[Trace]:
    log, calls = Transcript(), dict[str, dict[str, Any]]()
    telling = (place for place, chunk in enumerate(chunks) if _ID.isdisjoint(chunk) is False)
    chunks = unrepeated(chunks, next(telling, None))
    texts = _texts(chunks)
    error = id = None
    for place, chunk in enumerate(chunks):
        kind = chunk["type"]
        if place in texts:
            log.say("assistant", "".join(texts[place]))
        elif kind in _STATES:
            _take(chunk, log, calls)
        error = chunk.get("errorText") if kind == "error" else error
        id = chunk.get("messageId", id) if kind == "start" else id
    yield log.trace(trace_id=id or Place(key, 1).stem, error=error)


def _texts(chunks: list[Any]) -> dict[int, list[str]]:
    """The text blocks, by the place of the chunk that each starts with."""
    texts: dict[int, list[str]] = {}
    current: dict[str, int] = {}
    for place, chunk in enumerate(chunks):
        id = as_text(chunk.get("id"))
        if chunk["type"] == "text-start" or (chunk["type"] == "text-delta" and id not in current):
            current[id] = place
            texts[place] = []
        if chunk["type"] == "text-delta" and isinstance(chunk.get("delta"), str):
            texts[current[id]].append(chunk["delta"])
    return texts


def _take(chunk: Any, log: Transcript, calls: dict[str, dict[str, Any]]) -> None:
    """A chunk on a call: the first makes it, each later one adds what it knows."""
    id = chunk.get("toolCallId")
    known = calls.get(as_text(id))
    if known is None:
        log.call(chunk.get("toolName"), None, id)
        known = calls[as_text(id)] = log.calls[-1]
    told = {field: chunk[key] for key, field in _FIELDS.items() if chunk.get(key) is not None}
    told["state"] = _STATES[chunk["type"]]
    if told.keys() & {"result", "error"} and "result" not in known:
        log.answer(told.get("result"), id, known["name"])
    known |= told


LAYOUT = Layout("ui_message_stream", "Streams of UI messages of the AI SDK", _marks, _read, _join)
