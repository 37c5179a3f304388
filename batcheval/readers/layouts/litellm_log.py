"""Logged calls of an OpenAI-like API: LiteLLM's callbacks, and OpenHands' `llm-logs`."""

from collections.abc import Iterator, Mapping
from typing import Any

from batcheval.readers.grammar.completions import is_completion, replies, seconds
from batcheval.readers.grammar.turns import take_turns
from batcheval.readers.grammar.usage import tokens
from batcheval.readers.grammar.values import first, has, parsed, picked
from batcheval.readers.layouts.layout import Layout, Place, Trace


def _marks(record: Any) -> int:
    if not has(record, "messages", "response"):
        return 0
    if has(record, "kwargs") or has(record, "call_type") or has(record, "latency_sec"):
        return 9
    return 8 if is_completion(parsed(record["response"])) else 0


def _read(record: Any, place: Place) -> Iterator[Trace]:
    if not isinstance(record, Mapping):
        return
    response = parsed(record.get("response"))
    reply = response if isinstance(response, Mapping) else {}
    asked = parsed(record.get("messages"))
    log = take_turns(asked if isinstance(asked, list) else replies(asked))
    if isinstance(asked, str):
        log.input = asked
    take_turns(replies(response), log)
    yield log.trace(
        trace_id=first(record, "id") or first(reply, "id") or place.stem,
        model=first(record, "model") or first(reply, "model"),
        error=first(record, "error_str", "error", "exception") or None,
        cost=first(record, "cost", "response_cost"),
        latency_ms=seconds(first(record, "latency_sec", "response_time")),
        started_at=_start(record) or reply.get("created"),
        tool_definitions=first(record, "tools"),
        metadata=picked(record, "context_window", "call_type", "status", "trace_id"),
        **tokens(reply.get("usage") or record),
    )


def _start(record: Mapping[str, Any]) -> Any:
    """When it began: OpenHands notes when it ended, and how long it took."""
    end, took = seconds(record.get("timestamp")), seconds(record.get("latency_sec"))
    if end is None or took is None:
        return first(record, "startTime", "start_time", "timestamp")
    return round(end - took)


LAYOUT = Layout("litellm_log", "Logs of calls by LiteLLM and OpenHands", _marks, _read)
