"""Traces of Langfuse: with their observations, or as exported tables that are joined."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from batcheval.readers.grammar.observations import an_object, spelled, step_of_observation
from batcheval.readers.grammar.payloads import text_of
from batcheval.readers.grammar.runs import trace_of
from batcheval.readers.grammar.values import dicts, has, parsed
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_TYPES: Final = (
    *("SPAN", "GENERATION", "EVENT", "AGENT", "TOOL", "CHAIN", "RETRIEVER", "EVALUATOR"),
    *("EMBEDDING", "GUARDRAIL"),
)
_OF_TRACES: Final = (
    *("bookmarked", "public", "release", "environment", "user_id", "userId", "htmlPath"),
    *("session_id", "sessionId", "project_id", "projectId"),
)

_OF_OBSERVATIONS: Final = (
    *("start_time", "parent_observation_id", "level", "project_id", "usage_details"),
)


def _marks(record: Any) -> int:
    if has(record, "trace", "observations"):
        return 10
    if has(record, "data", "meta"):
        return min(8, max(map(_marks, [*dicts(record["data"])][:1]), default=0))
    sort = _sort(record)
    return {"observation": 10, "score": 8, "trace": 8}.get(sort or "", 0)


def _sort(record: Any) -> str | None:
    """Of which table a row is."""
    if not isinstance(record, Mapping):
        return None
    if spelled(record, "trace_id") is not None:
        if record.get("type") in _TYPES and any(spelled(record, key) for key in _OF_OBSERVATIONS):
            return "observation"
        told = spelled(record, "data_type") or record.get("source") in ("API", "EVAL", "ANNOTATION")
        return "score" if has(record, "name", "value") and told else None
    known = sum(key in record for key in _OF_TRACES)
    is_trace = has(record, "id", "timestamp") and known >= 2 and "parent_id" not in record
    return "trace" if is_trace else None


def _read(record: Any, place: Place) -> Iterator[Trace | Piece]:
    page = dicts(record["data"]) if has(record, "data", "meta") else [an_object(record)]
    for row in page:
        yield from _read_one(row)


def _read_one(record: Mapping[str, Any]) -> Iterator[Trace | Piece]:
    inner = record.get("trace")
    trace: Mapping[str, Any] = inner if isinstance(inner, Mapping) else record
    observations = [*dicts(record.get("observations"))] or [*dicts(trace.get("observations"))]
    if observations:
        yield _traced(trace, observations, [*dicts(trace.get("scores"))])
    elif trace is not record:
        yield _traced(trace, [], [*dicts(trace.get("scores"))])
    elif (sort := _sort(record)) is not None:
        id = record.get("id") if sort == "trace" else spelled(record, "trace_id")
        yield Piece(str(id), {"sort": sort, "row": dict(record)})


def _join(key: str, values: list[Any]) -> Iterator[Trace]:
    """One trace of its rows; a score alone makes none."""
    rows = {sort: [v["row"] for v in values if v["sort"] == sort] for sort in _SORTS}
    trace = rows["trace"][-1] if rows["trace"] else _in_common(key, rows["observation"])
    if rows["trace"] or rows["observation"]:
        yield _traced(trace, rows["observation"], rows["score"])


def _in_common(key: str, observations: list[Any]) -> dict[str, Any]:
    """What enriched observations tell of their trace, which has no row of its own then."""
    about: dict[str, Any] = {"id": key}
    for row in observations:
        told = {name: spelled(row, name) for name in (*_ON_OBSERVATIONS, "trace_name")}
        about |= {name: value for name, value in told.items() if value not in (None, "", [])}
    return about | {"name": about.pop("trace_name", None)}


_ON_OBSERVATIONS: Final = ("user_id", "session_id", "release", "tags", "environment")
_SORTS: Final = ("trace", "observation", "score")


def _traced(trace: Mapping[str, Any], observations: list[Any], scores: list[Any]) -> Trace:
    latency = trace.get("latency")
    told = trace_of(
        [step_of_observation(row) for row in observations],
        trace_id=trace.get("id"),
        input=text_of(trace.get("input"), "user"),
        output=text_of(trace.get("output"), "assistant"),
        labels=_labels(scores),
        metadata=_about(trace),
    )
    if "latency_ms" not in told and isinstance(latency, int | float):
        told["latency_ms"] = latency * 1000
    if "started_at" not in told and trace.get("timestamp"):
        told["started_at"] = trace["timestamp"]
    return told


def _labels(scores: list[Any]) -> dict[str, Any]:
    """The scores of the trace; those of single observations are named with theirs."""
    found = {}
    for score in dicts(scores):
        name = score.get("name")
        told = spelled(score, "string_value")
        found[str(name)] = told if told is not None else score.get("value")
    return found


def _about(trace: Mapping[str, Any]) -> dict[str, Any]:
    names = ("name", "user_id", "session_id", "release", "version", "environment", "tags")
    told = {name: spelled(trace, name) for name in names}
    own = parsed(trace.get("metadata"))
    known = {key: value for key, value in told.items() if value not in (None, "", [])}
    tidy = {k: v for k, v in own.items() if k not in _NOISE} if isinstance(own, Mapping) else {}
    return known | ({"metadata": tidy} if tidy else {})


# What exporters of OpenTelemetry put beside the metadata that was meant: the payloads again.
_NOISE: Final = frozenset({"attributes", "resourceAttributes", "scope"})
LAYOUT = Layout(
    "langfuse", "Traces of Langfuse, or its exported tables joined", _marks, _read, _join
)
