"""Traces of MLflow: `Trace.to_dict`, and the rows of `search_traces`."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from batcheval.readers.grammar.clock import instant
from batcheval.readers.grammar.genai import step_of
from batcheval.readers.grammar.observations import an_object
from batcheval.readers.grammar.payloads import text_of
from batcheval.readers.grammar.runs import trace_of
from batcheval.readers.grammar.spans import is_span, spans_in
from batcheval.readers.grammar.steps import Step
from batcheval.readers.grammar.values import dicts, dig, first, has, parsed
from batcheval.readers.layouts.layout import Layout, Place, Trace

_LASTED: Final = ("execution_duration_ms", "execution_duration", "execution_time_ms")


def _marks(record: Any) -> int:
    if has(record, "info", "data") and has(record["data"], "spans"):
        return 10
    if has(record, "trace_metadata") or has(record, "execution_duration"):
        return 9 if has(record, "trace_id") or has(record, "request_id") else 0
    return 0


def _read(record: Any, place: Place) -> Iterator[Trace]:
    whole: Any = an_object(record)
    if not isinstance(dig(record, "info"), Mapping):
        whole = parsed(dig(record, "trace"))
    spans = parsed(dig(whole, "data.spans") or dig(record, "spans"))
    info = dig(whole, "info")
    info = {**record, **info} if isinstance(info, Mapping) else dict(record)
    request = first(info, "request", "inputs") or dig(whole, "data.request")
    response = first(info, "response", "outputs") or dig(whole, "data.response")
    state = str(first(info, "state", "status")).rpartition(".")[2]
    known = [*_steps(spans)]
    trace = trace_of(
        known,
        trace_id=first(info, "trace_id", "request_id"),
        run=first(info, "experiment_id")
        or dig(info, "trace_location.mlflow_experiment.experiment_id"),
        output=text_of(response, "assistant"),
        error="error" if state == "ERROR" and not any(s.get("failed") for s in known) else None,
        started_at=instant(first(info, "request_time", "timestamp_ms")),
        latency_ms=_milliseconds(first(info, *_LASTED)),
        metadata=parsed(info.get("tags")),
        **_assessed(info),
    )
    asked = text_of(request, "user") or text_of(info.get("request_preview"), "user")
    preview = text_of(info.get("response_preview"), "assistant")
    yield trace | {"input": trace["input"] or asked, "output": trace["output"] or preview}


def _steps(spans: Any) -> Iterator[Step]:
    """Spans whose attributes are JSON in strings, each of them."""
    for span in dicts(spans):
        own = span.get("attributes")
        plain = (
            {key: parsed(value) for key, value in own.items()} if isinstance(own, Mapping) else {}
        )
        tokens = plain.get("mlflow.chat.tokenUsage")
        if isinstance(tokens, Mapping):
            plain |= {f"gen_ai.usage.{key}": value for key, value in tokens.items()}
        plain |= {
            name: plain[key]
            for key, name in (("mlflow.chat.tools", "gen_ai.tool.definitions"),)
            if key in plain
        }
        whole = {**span, "attributes": plain}
        if is_span(whole):
            yield from map(step_of, spans_in(whole))


def _milliseconds(value: Any) -> float | None:
    """A duration: milliseconds, or protobuf's `"1.5s"`."""
    if isinstance(value, str) and value.endswith("s"):
        try:
            return float(value[:-1]) * 1000
        except ValueError:
            return None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _assessed(info: Mapping[str, Any]) -> Trace:
    """Feedback as labels, the expectation of a response as what was expected."""
    told: Trace = {}
    for entry in dicts(parsed(info.get("assessments"))):
        name = str(first(entry, "assessment_name", "name"))
        if (expected := dig(entry, "expectation.value")) is not None:
            if name in ("expected_response", "expected", "expectation"):
                told["expected"] = text_of(expected, "assistant")
        else:
            labels = told.setdefault("labels", {})
            labels[name] = first(entry, "value") or dig(entry, "feedback.value")
    return told


LAYOUT = Layout("mlflow", "Traces of MLflow, JSON or the rows of search_traces", _marks, _read)
