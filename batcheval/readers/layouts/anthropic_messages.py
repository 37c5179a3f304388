"""Responses of Anthropic's Messages API, also as results of a message batch."""

from collections.abc import Iterator
from typing import Any

from batcheval.readers.grammar.chat import transcribe
from batcheval.readers.grammar.usage import Usage
from batcheval.readers.grammar.values import as_text, dig, first, has
from batcheval.readers.layouts.layout import Layout, Place, Trace


def _marks(record: Any) -> int:
    if has(record, "custom_id", "result"):
        return 9 if has(record["result"], "type") and not has(record, "response") else 0
    if not has(record, "content", "role") or record.get("type") != "message":
        return 0
    return 9 if has(record, "stop_reason") or has(record, "usage") else 7


def _read(record: Any, place: Place) -> Iterator[Trace]:
    result = record.get("result") if has(record, "custom_id", "result") else None
    said = record if result is None else dig(result, "message") or {}
    if not isinstance(said, dict):
        raise ValueError("a batch result whose message is no object")
    usage = Usage()
    usage.add(said.get("usage"))
    kind = dig(result, "type")
    failed = None if kind in (None, "succeeded") else dig(result, "error") or kind
    yield transcribe([said] if said else []).trace(
        trace_id=first(record, "custom_id", "id"),
        model=said.get("model"),
        error=failed if failed is None else _reason(failed),
        metadata={"stop_reason": said["stop_reason"]} if "stop_reason" in said else None,
        **usage.fields,
    )


def _reason(failed: Any) -> str:
    told = dig(failed, "error.message") or dig(failed, "message") or failed
    return as_text(told)


LAYOUT = Layout(
    "anthropic_messages", "Anthropic messages: responses and batch results", _marks, _read
)
