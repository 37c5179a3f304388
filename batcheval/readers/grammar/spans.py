"""Spans of OpenTelemetry, whichever exporter, database or notebook wrote them down."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from batcheval.readers.grammar.attributes import attributes_of, plain
from batcheval.readers.grammar.span_fields import SAID, SPAN, has_failed, ids_of, read, times_of
from batcheval.readers.grammar.values import dicts, first, parsed


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
            nested = None if _NESTED.isdisjoint(found) else first(found, *_NESTS)
            if isinstance(nested, list):
                todo.append(nested)
            elif is_span(found):
                yield _span(found)


_NESTS: Final = (
    *("resourceSpans", "resource_spans", "scopeSpans", "scope_spans"),
    *("instrumentationLibrarySpans", "spans"),
)


_NESTED: Final = frozenset(_NESTS)


def is_span(record: Any) -> bool:
    """Whether a record is one span: it has attributes, and an id or the name of one."""
    if not isinstance(record, dict):
        return False
    known = read(record, *SPAN, "spanContext.spanId", "SpanId", "spanName") is not None
    return (known and any(key.lower().startswith(_ATTRIBUTES) for key in record)) or any(
        key.startswith("gen_ai.") for key in record
    )


_ATTRIBUTES: Final = ("attributes", "spanattributes", "start", "name")


def _span(record: Mapping[str, Any]) -> Span:
    attributes = attributes_of(record)
    events = [_event(e) for e in dicts(parsed(read(record, "events", "span_events", "Events")))]
    start, end = times_of(record)
    failed = has_failed(record)
    said = read(record, *SAID, "StatusMessage") or _exception(events)
    kind = record.get("span_kind")
    return Span(
        *ids_of(record),
        str(read(record, "name", "spanName", "SpanName") or ""),
        kind if isinstance(kind, str) else "",
        start,
        end,
        failed,
        str(said or attributes.get("error.type") or "") or None if failed else None,
        attributes,
        events,
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
