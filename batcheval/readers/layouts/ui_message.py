"""UI messages of the AI SDK, versions 4 to 7: lists of them, or a message a record."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.parts import take_invocation, take_parts
from batcheval.readers.grammar.repeats import once
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.values import dicts, dig, first, has, text_in
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_KINDS: Final = (
    *("text", "reasoning", "step-start", "dynamic-tool", "file", "source"),
    *("source-url", "source-document"),
)


def _marks(record: Any) -> int:
    if _is_message(record):
        return 7
    messages = record if isinstance(record, list) else dig(record, "messages")
    messages = [*dicts(messages)][:20]
    return 7 if any(map(_is_message, messages)) else 0


def _is_message(message: Any) -> bool:
    if not has(message, "role") or has(message, "type"):
        return False
    parts = message.get("parts")
    if isinstance(parts, list):
        return all(map(_is_part, parts)) and (bool(parts) or has(message, "id"))
    return isinstance(message.get("toolInvocations"), list)


def _is_part(part: Any) -> bool:
    """Whether a part is of the AI SDK: parts of others have no type, or a text under `content`."""
    kind = dig(part, "type")
    if not isinstance(kind, str):
        return False
    known = kind in _KINDS or kind.startswith(("tool-", "data-"))
    return known and (kind != "text" or has(part, "text"))


def _read(record: Any, place: Place) -> Iterator[Trace | Piece]:
    if has(record, "role"):
        yield Piece(place.source, record)
        return
    about = record if isinstance(record, dict) else {}
    messages = record if isinstance(record, list) else about.get("messages")
    if not isinstance(messages, list):
        raise ValueError("a record of UI messages without a list of them")
    yield _trace(messages, trace_id=first(about, "trace_id", "id", "chatId", "name"))


def _join(key: str, messages: list[Any]) -> Iterator[Trace]:
    said = once(messages, "id", "role")
    yield _trace(said, trace_id=Place(key, 1).stem)


def _trace(messages: list[Any], **fields: Any) -> Trace:
    log = Transcript()
    for message in dicts(messages):
        role, parts = str(message.get("role")), message.get("parts")
        if isinstance(parts, list):
            take_parts(role, parts, log)
            continue
        log.say(role, text_in(message.get("content")))
        for made in dicts(message.get("toolInvocations")):
            take_invocation(made.get("toolName"), made, log)
    start = next(iter(dicts(messages)), {})
    return log.trace(started_at=start.get("createdAt"), **fields)


LAYOUT = Layout("ui_message", "UI messages of the AI SDK", _marks, _read, _join)
