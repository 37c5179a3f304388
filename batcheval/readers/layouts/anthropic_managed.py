"""Event logs of Anthropic's managed agents: events, or pairs of a method and its payload."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from batcheval.readers.grammar.clock import elapsed_ms
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.usage import Usage
from batcheval.readers.grammar.values import as_text, dicts, dig, first, has, text_in
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_CALLS: Final = ("agent.tool_use", "agent.custom_tool_use", "agent.mcp_tool_use")
_RESULTS: Final = {
    "agent.tool_result": "tool_use_id",
    "agent.mcp_tool_result": "mcp_tool_use_id",
    "user.tool_result": "tool_use_id",
    "user.custom_tool_result": "custom_tool_use_id",
}
_SPEAKERS: Final = {"user.message": "user", "agent.message": "assistant"}
_KINDS: Final = ("agent.", "user.", "session.", "span.model_request_", "span.outcome_evaluation_")


def _is_pair(record: Any) -> bool:
    return (
        isinstance(record, list)
        and len(record) == 2
        and isinstance(record[0], str)
        and ".sessions." in record[0]
    )


def _marks(record: Any) -> int:
    if _is_pair(record):
        return 9
    is_event = has(record, "type") and str(record["type"]).startswith(_KINDS)
    if not is_event or not has(record, "id"):
        return 0
    return 8 if has(record, "processed_at") or record["type"] in (*_CALLS, *_RESULTS) else 6


def _read(record: Any, place: Place) -> Iterator[Piece]:
    if not _is_pair(record):
        if has(record, "type"):
            yield Piece(place.source, {"events": [record]})
        return
    method, payload = record
    if method.endswith(".send"):
        body = payload[1] if isinstance(payload, list) and len(payload) == 2 else payload
        yield Piece(place.source, {"sent": [*dicts(dig(body, "events"))]})
    elif has(payload, "agent"):
        yield Piece(place.source, {"session": payload})
    elif has(payload, "type"):
        yield Piece(place.source, {"events": [payload]})


def _join(key: str, values: list[Any]) -> Iterator[Trace]:
    opened: Any = next((value["session"] for value in values if "session" in value), {})
    events = _once(values)
    log, usage = Transcript(), Usage()
    starts = dict[str, Any]()
    for event in events:
        _take(event, log, starts)
        usage.add(event.get("model_usage"))
    agent = opened.get("agent")
    yield log.trace(
        trace_id=opened.get("id") or Place(key, 1).stem,
        model=dig(agent, "model.id") or dig(agent, "model"),
        tool_definitions=dig(agent, "tools"),
        error=_failure(events),
        started_at=next((e["processed_at"] for e in events if e.get("processed_at")), None),
        **usage.fields,
    )


def _once(values: list[Any]) -> list[Any]:
    """Events once each: one that was sent comes back in the stream, with an id."""
    streamed = [event for value in values for event in value.get("events", ())]
    back = {_content(event) for event in streamed}
    ids = set[str]()
    kept = []
    for value in values:
        for event in value.get("events", ()):
            id = as_text(event.get("id"))
            kept += [] if id and id in ids else [event]
            ids.add(id)
        kept += [event for event in value.get("sent", ()) if _content(event) not in back]
    return kept


def _content(event: Any) -> str:
    content = event.get("content")
    return as_text([event.get("type"), text_in(content) or content, _call_id(event)])


def _call_id(event: Any) -> Any:
    return first(event, *dict.fromkeys(_RESULTS.values()))


def _take(event: Any, log: Transcript, starts: dict[str, Any]) -> None:
    kind, time = str(event.get("type")), event.get("processed_at")
    if kind in _SPEAKERS:
        log.say(_SPEAKERS[kind], text_in(event.get("content")))
    elif kind in _CALLS:
        id = event.get("id")
        starts[as_text(id)] = time
        log.call(event.get("name"), event.get("input"), id, started_at=time)
    elif kind in _RESULTS:
        content, id = event.get("content"), _call_id(event)
        more: dict[str, Any] = {"is_error": True} if event.get("is_error") is True else {}
        more["duration_ms"] = elapsed_ms(starts.get(as_text(id)), time)
        log.answer(text_in(content) or content, id, **more)
    elif kind == "user.tool_confirmation" and event.get("result") == "deny":
        log.answer(event.get("deny_message"), _call_id(event), state="denied")


def _failure(events: Iterable[Any]) -> Any:
    """The error that ended the session: not one that the service tried again after."""
    failed = None
    for event in events:
        if event.get("type") == "agent.message":
            failed = None
        elif event.get("type") in ("session.error", "session.status_terminated"):
            status = first(event, "retry_status") or dig(event, "error.retry_status")
            if "retrying" not in (status, dig(status, "type")):
                failed = dig(event, "error.message") or dig(event, "error.type") or failed
    return failed


LAYOUT = Layout("anthropic_managed", "Anthropic managed agents' events", _marks, _read, _join)
