"""Spans of OpenTelemetry: OTLP-JSON, GenAI conventions, OpenInference, Phoenix."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from batcheval.readers.grammar.genai import step_of
from batcheval.readers.grammar.observations import an_object
from batcheval.readers.grammar.runs import trace_of
from batcheval.readers.grammar.span_fields import is_zero
from batcheval.readers.grammar.spans import is_span, spans_in
from batcheval.readers.grammar.steps import Step
from batcheval.readers.grammar.values import dicts, has
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_OTHERS: Final = ("openinference.", "llm.", "ai.", "input.value", "gcp.vertex.", "traceloop.")


def _read(record: Any, place: Place) -> Iterator[Piece]:
    """A span belongs to its trace wherever it stands; an id of zeros is none, but for its file."""
    for span in spans_in(record if isinstance(record, list) else an_object(record)):
        key = span.trace or f"{place.source}:{place.line}"
        if is_zero(key):
            key, span = place.source, span._replace(trace=None)
        yield Piece(key, step_of(span))


def _join(key: str, steps: list[Step]) -> Iterator[Trace]:
    yield trace_of(steps)


def _otlp(record: Any) -> int:
    return 10 if has(record, "resourceSpans") or has(record, "resource_spans") else 0


def _phoenix(record: Any) -> int:
    span = _any_span(record)
    if not has(span, "span_kind") or not (has(span, "context") or has(span, "context.trace_id")):
        return 0
    return 10 if has(span, "status_code") or has(span, "status_message") else 8


def _openinference(record: Any) -> int:
    keys = _keys(_any_span(record))
    if any("openinference" in key for key in keys):
        return 9
    if any(key.startswith("ai.") for key in keys):
        return 8
    return 5 if any(key.startswith(_OTHERS) for key in keys) else 1 if keys else 0


def _genai(record: Any) -> int:
    keys = _keys(_any_span(record))
    rivals = any(key.startswith(("openinference", "ai.")) for key in keys)
    if any(key.startswith("gen_ai.") for key in keys):
        return 6 if rivals else 9
    return 2 if keys else 0


def _any_span(record: Any) -> Any:
    if has(record, "spans"):
        return next((span for span in dicts(record["spans"]) if is_span(span)), None)
    return record if is_span(record) else None


def _keys(span: Any) -> set[str]:
    """The names that tell whose span it is: of attributes, columns and the scope."""
    if not isinstance(span, dict):
        return set()
    attributes = span.get("attributes")
    names = {key.removeprefix("attributes.") for key in span if "." in key}
    names |= {str(key) for key in attributes} if isinstance(attributes, dict) else set()
    scope = span.get("scope")
    return names | {str(scope.get("name")) if isinstance(scope, dict) else "span"}


def _layout(name: str, title: str, marks: Callable[[Any], int]) -> Layout:
    return Layout(name, title, marks, _read, _join)


LAYOUTS = (
    _layout("otlp_json", "OTLP-JSON, as OpenTelemetry's file exporter writes it", _otlp),
    _layout("otel_genai_spans", "Spans of the GenAI conventions, a record each", _genai),
    _layout("openinference_spans", "Spans of OpenInference or the AI SDK", _openinference),
    _layout("phoenix_spans", "Spans of Phoenix, JSON or its data frame", _phoenix),
)
