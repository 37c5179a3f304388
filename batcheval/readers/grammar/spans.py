"""Spans of OpenTelemetry, whichever exporter, database or notebook wrote them down."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from batcheval.readers.grammar.attributes import attributes_of, plain
from batcheval.readers.grammar.clock import instant
from batcheval.readers.grammar.values import dicts, dig, first, parsed

_TRACE: Final = ("trace_id", "traceId", "context.trace_id", "context.traceId")
_SPAN: Final = ("span_id", "spanId", "context.span_id", "context.spanId")
_PARENT: Final = ("parent_span_id", "parentSpanId", "parent_id", "parentId")
_START: Final = ("start_time", "startTime", "startTimeUnixNano", "start_time_unix_nano")
_END: Final = ("end_time", "endTime", "endTimeUnixNano", "end_time_unix_nano")
_CODE: Final = ("status.code", "status.status_code", "status_code", "statusCode", "status")
_SAID: Final = ("status.message", "status.description", "status_message", "statusMessage")
_FAILED: Final = frozenset({"2", "ERROR", "ERRORED", "FAILED"})


class Span(NamedTuple):
    """The one form of a span: times in nanoseconds, attributes flat, `error` what it failed of."""

    trace: str | None
    id: str | None
    parent: str | None
    name: str
    kind: str
    start: int | None
    end: int | None
    failed: bool
    error: str | None
    attributes: dict[str, Any]
    events: list[dict[str, Any]]


def spans_in(record: Any) -> Iterator[Span]:
    """The spans of a record: one span, OTLP's resources of scopes of spans, or an object of them.

    Example:
        >>> [span] = spans_in({"resourceSpans": [{"scopeSpans": [{"spans": [
        ...     {"traceId": "a", "spanId": "b", "name": "chat", "status": {"code": 2},
        ...      "attributes": [{"key": "n", "value": {"intValue": "7"}}]}]}]}]})
        >>> span.trace, span.name, span.failed, span.attributes
        ('a', 'chat', True, {'n': 7})
    """
    todo = [record]
    while todo:
        found = todo.pop()
        if isinstance(found, list):
            todo += reversed(found)
        elif isinstance(found, dict):
            nested = first(found, *_NESTS)
            if isinstance(nested, list):
                todo.append(nested)
            elif is_span(found):
                yield _span(found)


_NESTS: Final = (
    *("resourceSpans", "resource_spans", "scopeSpans", "scope_spans"),
    *("instrumentationLibrarySpans", "spans"),
)


def is_span(record: Any) -> bool:
    """Whether a record is one span: it has attributes, and an id or the name of one."""
    if not isinstance(record, dict):
        return False
    known = read(record, *_SPAN, "spanContext.spanId", "SpanId", "spanName") is not None
    return (known and any(key.lower().startswith(_ATTRIBUTES) for key in record)) or any(
        key.startswith("gen_ai.") for key in record
    )


_ATTRIBUTES: Final = ("attributes", "spanattributes", "start", "name")


def read(record: Mapping[str, Any], *paths: str) -> Any:
    """The first of these that is there: a key with dots in it, or a path of keys."""
    for path in paths:
        value = record.get(path)
        value = dig(record, path) if value is None and "." in path else value
        if value is not None and value != "":
            return value
    return None


def _span(record: Mapping[str, Any]) -> Span:
    attributes = attributes_of(record)
    events = [_event(e) for e in dicts(parsed(read(record, "events", "span_events", "Events")))]
    start, end = _times(record)
    failed = _failed(record)
    said = read(record, *_SAID, "StatusMessage") or _exception(events)
    kind = record.get("span_kind")
    return Span(
        _id(read(record, *_TRACE, "spanContext.traceId", "TraceId")),
        _id(read(record, *_SPAN, "spanContext.spanId", "SpanId")),
        _parent(record),
        str(read(record, "name", "spanName", "SpanName") or ""),
        kind if isinstance(kind, str) else "",
        start,
        end,
        failed,
        str(said or attributes.get("error.type") or "") or None if failed else None,
        attributes,
        events,
    )


def _id(value: Any) -> str | None:
    return str(value) if isinstance(value, str | int) else None


def _parent(record: Mapping[str, Any]) -> str | None:
    found = _id(read(record, *_PARENT, "parentSpanContext.spanId", "ParentSpanId"))
    return found if found and found.removeprefix("0x").strip("0") else None


def _times(record: Mapping[str, Any]) -> tuple[int | None, int | None]:
    start, end = instant(read(record, *_START, "Timestamp")), instant(read(record, *_END))
    lasted = record.get("Duration")  # ClickHouse has no end
    if end is None and start is not None and type(lasted) is int:
        end = start + lasted
    return start, end


def _failed(record: Mapping[str, Any]) -> bool:
    code = read(record, *_CODE, "StatusCode")
    return isinstance(code, str | int) and (
        str(code).upper().rpartition(".")[2].removeprefix("STATUS_CODE_") in _FAILED
    )


def _event(event: Mapping[str, Any]) -> dict[str, Any]:
    told = attributes_of(event)
    body = plain(parsed(event.get("body")))
    name = first(event, "name", "event_name", "Name") or told.get("event.name")
    return {"name": str(name or ""), "told": told | body if isinstance(body, dict) else told}


def _exception(events: list[dict[str, Any]]) -> Any:
    return next(
        (e["told"].get("exception.message") for e in events if e["name"] == "exception"), None
    )
