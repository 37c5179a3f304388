"""Rows of Braintrust: a span each, later rows of the same id amend earlier ones."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from batcheval.readers.grammar.observations import an_object, made_step
from batcheval.readers.grammar.payloads import text_of
from batcheval.readers.grammar.runs import trace_of
from batcheval.readers.grammar.steps import Step, step_times
from batcheval.readers.grammar.usage import tokens
from batcheval.readers.grammar.values import as_text, dig, first, has, parsed
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_IN: Final = "\x01"  # between a file and a placeholder in it


def _marks(record: Any) -> int:
    if not has(record, "root_span_id"):
        return 0
    known = ("span_attributes", "span_id", "span_parents", "_is_merge", "is_root")
    return 10 if any(key in record for key in known) else 0


def _read(record: Any, place: Place) -> Iterator[Piece]:
    """A placeholder such as `<span:1>`, put in an id's place, means another one in each file."""
    key = str(first(an_object(record), "root_span_id", "span_id", "id") or "")
    if not key:
        key = f"{place.source}:{place.line}"
    elif key[0] == "<" and key[-1] == ">":
        key = place.source + _IN + key
    yield Piece(key, dict(record))


def _join(key: str, rows: list[Any]) -> Iterator[Trace]:
    key = key.rpartition(_IN)[2]
    merged: dict[Any, dict[str, Any]] = {}
    for place, row in enumerate(rows):
        id = str(row.get("id") or place)
        amends = row.get("_is_merge") is True and id in merged
        merged[id] = _amended(merged[id], row) if amends else row
    whole = [*merged.values()]
    root = next((row for row in whole if str(row.get("span_id")) == key), whole[0])
    steps = [*map(_step, whole)]
    trace = trace_of(
        steps,
        trace_id=key,
        run=first(root, "experiment_id"),
        task_id=first(root, "dataset_record_id") or dig(parsed(root.get("origin")), "id"),
        expected=as_text(root.get("expected")),
        labels=parsed(root.get("scores")),
        metadata=parsed(root.get("metadata")),
    )
    if not any(step.get("kind") == "tool" for step in steps):  # what models asked for is not said
        trace["tool_calls"] = []
    yield {**trace, "output": text_of(root.get("output"), "assistant")}


def _amended(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Objects grow, other values are replaced; a null says nothing."""
    merged = dict(old)
    for key, value in new.items():
        held = merged.get(key)
        if isinstance(value, Mapping) and isinstance(held, Mapping):
            merged[key] = {**held, **value}
        elif value is not None:
            merged[key] = value
    return merged


def _step(row: Mapping[str, Any]) -> Step:
    about = parsed(row.get("span_attributes"))
    metrics, metadata = parsed(row.get("metrics")), parsed(row.get("metadata"))
    parents = parsed(row.get("span_parents"))
    error = row.get("error")
    return made_step(
        dig(about, "type"),
        dig(about, "name"),
        row.get("input"),
        row.get("output"),
        trace=str(row.get("root_span_id") or ""),
        id=str(first(row, "span_id", "id") or ""),
        parent=str(parents[0]) if isinstance(parents, list) and parents else None,
        **step_times(dig(metrics, "start"), dig(metrics, "end")),
        failed=bool(error),
        error=text_of(error, "assistant") if error else None,
        model=dig(metadata, "model"),
        cost=first(metrics, "estimated_cost", "cost") if isinstance(metrics, Mapping) else None,
        usage=tokens(metrics),
    )


LAYOUT = Layout("braintrust", "Spans of Braintrust, logged or exported", _marks, _read, _join)
