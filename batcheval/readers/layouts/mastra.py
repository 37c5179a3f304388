"""Mastra's messages, as its storage holds them and as its API gives them: a thread is a trace."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.chat import transcribe
from batcheval.readers.grammar.parts import take_invocation, take_parts
from batcheval.readers.grammar.repeats import once
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.values import dicts, dig, first, has, parsed
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_THREAD: Final = ("threadId", "thread_id")
_FIRST_VERSION: Final = ("text", "tool-call", "tool-result")


def _marks(record: Any) -> int:
    if has(record, "messages"):
        return max(map(_marks_message, [*dicts(record["messages"])][:20]), default=0)
    return _marks_message(record)


def _marks_message(message: Any) -> int:
    if not has(message, "role", "content"):
        return 0
    content = _content(message)
    in_thread = first(message, *_THREAD) is not None
    if has(content, "format") and (has(content, "parts") or has(content, "content")):
        return 9
    return 7 if in_thread and message.get("type") in _FIRST_VERSION else 0


def _content(message: Any) -> Any:
    """The content of a message: of the second version an object, in the database as its JSON."""
    content = parsed(message.get("content"))
    if has(content, "format") or has(content, "parts"):
        return content
    return content if next(iter(dicts(content)), {}).get("type") else message.get("content")


def _read(record: Any, place: Place) -> Iterator[Piece]:
    messages = dicts(record["messages"]) if has(record, "messages") else dicts([record])
    thread = place.source
    for message in messages:
        if has(message, "role"):
            told = first(message, *_THREAD)
            thread = told if isinstance(told, str) else thread
            yield Piece(thread, message)


def _join(key: str, messages: list[Any]) -> Iterator[Trace]:
    log = Transcript()
    messages = _in_order(once(messages, "id", "role"))
    errors = [error for message in messages for error in _take(message, log)]
    start = messages[0]
    told = first(start, *_THREAD)
    resource = first(start, "resourceId", "resource_id")
    yield log.trace(
        trace_id=told if isinstance(told, str) else Place(key, 1).stem,
        started_at=first(start, "createdAt", "created_at"),
        error=errors[-1] if errors else None,
        metadata=None if resource is None else {"resource_id": resource},
    )


def _in_order(messages: list[Any]) -> list[Any]:
    """By the time of their making, where all tell it in the same way; else as they stand."""
    times = [first(message, "createdAt", "created_at") for message in messages]
    kinds = {type(time) for time in times}
    if len(kinds) > 1 or not kinds <= {str, int, float}:
        return messages
    order = sorted(range(len(messages)), key=times.__getitem__)
    return [messages[place] for place in order]


def _take(message: Any, log: Transcript) -> list[Any]:
    """Take down a message; returned is what its error parts say."""
    content, role = _content(message), str(message.get("role"))
    if not isinstance(content, dict):
        transcribe([{**message, "content": content}], log)
        return []
    parts = content.get("parts")
    if isinstance(parts, list):
        take_parts(role, parts, log)
    else:
        transcribe([{"role": role, "content": content.get("content")}], log)
    if not any(has(part, "toolInvocation") for part in dicts(parts)) and role == "assistant":
        for made in dicts(content.get("toolInvocations")):
            take_invocation(made.get("toolName"), made, log)
    errors = [part.get("error") for part in dicts(parts) if part.get("type") == "error"]
    return [dig(error, "message") or error for error in errors]


LAYOUT = Layout("mastra", "Mastra messages, a thread a trace", _marks, _read, _join)
