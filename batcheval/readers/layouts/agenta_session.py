"""Sessions of Agenta's agents: an event a record, each an update of the session."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.repeats import once
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.usage import Usage
from batcheval.readers.grammar.values import as_text, dig, has, text_in
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_ROLES: Final = {"user": "user", "agent": "assistant"}


def _marks(record: Any) -> int:
    return 9 if has(record, "session_update", "payload") else 0


def _read(record: Any, place: Place) -> Iterator[Piece]:
    if not has(record, "session_update"):
        return
    if not isinstance(record.get("payload"), dict):
        raise ValueError("an event of a session without a payload")
    id = record.get("session_id")
    yield Piece(id if isinstance(id, str) else place.source, record)


def _join(key: str, events: list[Any]) -> Iterator[Trace]:
    log, calls = Transcript(), dict[str, dict[str, Any]]()
    events = once(events, "id", "session_update")
    for event in events:
        _take(event, log, calls)
    start = events[0]
    id = start.get("session_id")
    yield log.trace(
        trace_id=id if isinstance(id, str) else Place(key, 1).stem,
        started_at=start.get("created_at"),
        error=_failure(events[-1]),
        **_used(events),
    )


def _take(event: Any, log: Transcript, calls: dict[str, dict[str, Any]]) -> None:
    kind, said, time = event["session_update"], event["payload"], event.get("created_at")
    id = said.get("id")
    known = calls.get(as_text(id)) if id is not None else None
    if kind == "message":
        sender = str(event.get("sender"))
        log.say(_ROLES.get(sender, sender), text_in(said.get("text")))
    elif kind == "tool_call" and known is not None:
        known["args"] = said.get("input", known["args"])
    elif kind == "tool_call":
        log.call(said.get("name"), said.get("input"), id, started_at=time)
        calls[as_text(id)] = log.calls[-1]
    elif kind == "tool_result":
        more: dict[str, Any] = {"is_error": True} if said.get("isError") is True else {}
        log.answer(said.get("output"), id, said.get("name"), **more)


def _used(events: list[Any]) -> dict[str, Any]:
    """What was used, each count once: one that did not change is written again after a turn."""
    usage, last = Usage(), None
    for event in events:
        told = event["payload"]
        if event["session_update"] == "usage" and told != last:
            usage.add(told, told.get("cost"))
            last = told
    return usage.fields


def _failure(last: Any) -> Any:
    return dig(last, "payload.message") if last["session_update"] == "error" else None


LAYOUT = Layout("agenta_session", "Sessions of Agenta's agents", _marks, _read, _join)
