"""Sessions of the pi coding agent: a line a message, and lines on the session itself."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.chat import transcribe
from batcheval.readers.grammar.clock import elapsed_ms
from batcheval.readers.grammar.repeats import once
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.usage import Usage
from batcheval.readers.grammar.values import as_text, dig, first, has, text_in
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_ROLES: Final = ("user", "assistant", "toolResult")
_OTHER_ROLES: Final = ("bashExecution", "custom", "hookMessage", "branchSummary")
_OTHERS: Final = ("model_change", "thinking_level_change", "compaction", "branch_summary")


def _marks(record: Any) -> int:
    if not has(record, "type", "timestamp") or has(record, "payload"):
        return 0
    kind = record["type"]
    if kind == "message":
        return 9 if dig(record, "message.role") in (*_ROLES, *_OTHER_ROLES) else 0
    if kind == "session":
        return 8 if has(record, "id", "cwd") else 0
    return 6 if kind in _OTHERS else 0


def _read(record: Any, place: Place) -> Iterator[Piece]:
    if not has(record, "type"):
        return
    if record["type"] == "message" and not isinstance(record.get("message"), dict):
        raise ValueError("a message of pi that is no object")
    if record["type"] in ("message", "session"):
        yield Piece(place.source, record)


def _join(key: str, values: list[Any]) -> Iterator[Trace]:
    log, usage = Transcript(), Usage()
    last: Any = {}
    has_ids = any("id" in value for value in values if value["type"] == "message")
    values = once(values, "id" if has_ids else "timestamp", "message")
    opened: Any = next((value for value in values if value["type"] == "session"), {})
    starts: dict[str, Any] = {}
    for message in (value["message"] for value in values if value["type"] == "message"):
        take(message, log, starts)
        if message.get("role") == "assistant":
            last = message
            usage.add(message.get("usage"), dig(message, "usage.cost.total"))
    yield log.trace(
        trace_id=opened.get("id") or Place(key, 1).session,
        model=first(last, "model") or opened.get("modelId"),
        error=_failure(last),
        started_at=first(opened or values[0], "timestamp"),
        metadata={"cwd": opened["cwd"]} if "cwd" in opened else None,
        **usage.fields,
    )


def take(message: Any, log: Transcript, starts: dict[str, Any]) -> None:
    """Take down a message of pi's agent, which others build on."""
    role, id = message.get("role"), message.get("toolCallId")
    if role == "toolResult":
        content = message.get("content")
        more: dict[str, Any] = {"is_error": True} if message.get("isError") is True else {}
        more["duration_ms"] = elapsed_ms(starts.get(as_text(id)), message.get("timestamp"))
        log.answer(text_in(content) or content, id, message.get("toolName"), **more)
    elif role in _ROLES:
        made = len(log.calls)
        transcribe([message], log)
        for call in log.calls[made:]:
            call["started_at"] = starts[as_text(call["id"])] = message.get("timestamp")


def _failure(last: Any) -> Any:
    """Why the last answer broke off, if it did."""
    reason = last.get("stopReason")
    return first(last, "errorMessage", "stopReason") if reason in ("error", "aborted") else None


LAYOUT = Layout("pi_session", "Sessions of the pi coding agent", _marks, _read, _join)
