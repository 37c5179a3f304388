"""OpenClaw's telemetry, an event a record; calls have no ids, and end as they started."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.repeats import unrepeated
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.values import as_text, first, has, text_in
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_ROLES: Final = {"message.in": "user", "message.out": "assistant"}
_OTHERS: Final = ("message.sending", "agent.start", "agent.end")
_SUB_AGENT: Final = ":subagent:"


def _marks(record: Any) -> int:
    if not has(record, "type"):
        return 0
    kind = record["type"]
    if kind in ("tool.start", "tool.end"):
        return 9 if has(record, "toolName") else 0
    if kind in (*_ROLES, *_OTHERS):
        return 8 if has(record, "channel") or has(record, "sessionKey") else 0
    return 0


def _read(record: Any, place: Place) -> Iterator[Piece]:
    if not has(record, "type"):
        return
    if record["type"] in ("tool.start", "tool.end", *_ROLES):
        yield Piece(place.source, record)


def _join(key: str, events: list[Any]) -> Iterator[Trace]:
    log, running = Transcript(), dict[str, list[dict[str, Any]]]()
    timed = (place for place, event in enumerate(events) if event.get("timestamp") is not None)
    for event in unrepeated(events, next(timed, None)):
        kind = event["type"]
        of = as_text([event.get("sessionKey"), event.get("toolName")])
        if kind in _ROLES:
            log.say(_ROLES[kind], text_in(event.get("content")))
        elif kind == "tool.start":
            log.call(event.get("toolName"), event.get("params"), **_who(event))
            running.setdefault(of, []).append(log.calls[-1])
        elif running.get(of):
            running[of].pop(0).update(_outcome(event))
    start = next((time for event in events if (time := event.get("timestamp"))), None)
    yield log.trace(trace_id=Place(key, 1).stem, started_at=start)


def _who(event: Any) -> dict[str, Any]:
    """When the call started, and by which sub-agent: the main agent's have none."""
    session = event.get("sessionKey")
    told = {"id": event.get("toolCallId"), "started_at": event.get("timestamp")}
    if isinstance(session, str) and _SUB_AGENT in session:
        told["agent"] = session.partition(_SUB_AGENT)[2]
    return told


def _outcome(event: Any) -> dict[str, Any]:
    told = {"result": first(event, "result", "output"), "duration_ms": event.get("durationMs")}
    if event.get("success") is False:
        told["is_error"] = True
    return told | ({"error": event["error"]} if event.get("error") else {})


LAYOUT = Layout("openclaw_telemetry", "OpenClaw telemetry", _marks, _read, _join)
