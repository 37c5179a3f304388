"""Fields of a span: ids, times and status, under whatever names an exporter gives them."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from batcheval.readers.grammar.clock import instant
from batcheval.readers.grammar.values import dig

_TRACE: Final = ("trace_id", "traceId", "context.trace_id", "context.traceId")
SPAN: Final = ("span_id", "spanId", "context.span_id", "context.spanId")
_PARENT: Final = ("parent_span_id", "parentSpanId", "parent_id", "parentId")
_START: Final = ("start_time", "startTime", "startTimeUnixNano", "start_time_unix_nano")
_END: Final = ("end_time", "endTime", "endTimeUnixNano", "end_time_unix_nano")
_CODE: Final = ("status.code", "status.status_code", "status_code", "statusCode", "status")
SAID: Final = ("status.message", "status.description", "status_message", "statusMessage")
_FAILED: Final = frozenset({"2", "ERROR", "ERRORED", "FAILED"})


def read(record: Mapping[str, Any], *paths: str) -> Any:
    """The first of these that is there: a key with dots in it, or a path of keys."""
    for path in _possible(tuple(record), paths):
        value = record.get(path)
        value = dig(record, path) if value is None and "." in path else value
        if value is not None and value != "":
            return value
    return None


@lru_cache(10_000)
def _possible(keys: tuple[str, ...], paths: tuple[str, ...]) -> list[str]:
    """The paths of which a record of these keys may have something."""
    return [path for path in paths if path in keys or path.partition(".")[0] in keys]


def is_zero(id: str) -> bool:
    """Whether an id is all zeros, in hexadecimal or in base 64, which the specification forbids.

    Example:
        >>> is_zero("0" * 32), is_zero("0x0"), is_zero("AAAAAAAAAAA="), is_zero("a0"), is_zero("AA")
        (True, True, True, False, False)
    """
    return not id.removeprefix("0x").strip("0") or id in ("A" * 11 + "=", "A" * 22 + "==")


def ids_of(record: Mapping[str, Any]) -> tuple[str | None, str | None, str | None]:
    """The ids of the trace, of the span and of its parent; of the last two, zeros are none."""
    trace = read(record, *_TRACE, "spanContext.traceId", "TraceId")
    own = read(record, *SPAN, "spanContext.spanId", "SpanId")
    parent = read(record, *_PARENT, "parentSpanContext.spanId", "ParentSpanId")
    return _id(trace), _unless_zero(own), _unless_zero(parent)


def _id(value: Any) -> str | None:
    return str(value) if isinstance(value, str | int) else None


def _unless_zero(value: Any) -> str | None:
    id = _id(value)
    return None if id is None or is_zero(id) else id


def times_of(record: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """When the span started and ended, in nanoseconds."""
    start, end = instant(read(record, *_START, "Timestamp")), instant(read(record, *_END))
    lasted = record.get("Duration")  # ClickHouse has no end
    if end is None and start is not None and type(lasted) is int:
        end = start + lasted
    return start, end


def has_failed(record: Mapping[str, Any]) -> bool:
    """Whether its status is an error."""
    code = read(record, *_CODE, "StatusCode")
    return isinstance(code, str | int) and (
        str(code).upper().rpartition(".")[2].removeprefix("STATUS_CODE_") in _FAILED
    )
