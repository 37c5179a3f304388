"""OpenAI's Responses API: responses, lists of their items, and the Agents SDK's run states."""

from collections.abc import Iterator, Mapping
from typing import Any

from batcheval.readers.grammar.items import is_item, take_items
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.usage import tokens
from batcheval.readers.grammar.values import dicts, dig, first, has, parsed, picked
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_ABOUT = ("previous_response_id", "status", "incomplete_details", "metadata")


def _marks(record: Any) -> int:
    if _response(record) or has(record, "$schemaVersion"):
        return 10
    if isinstance(record, list) or has(record, "items"):
        items = record if isinstance(record, list) else record["items"]
        return 8 if any(map(is_item, dicts(items))) else 0
    if is_item(record):
        return 9 if first(record, "call_id", "callId") else 7
    parts = dicts(dig(record, "content"))
    if any(part.get("type") in ("input_text", "output_text") for part in parts):
        return 7
    # `to_input_list()` mixes items and plain messages; a file of the latter is chat.
    return 3 if has(record, "role", "content") and isinstance(record["content"], str) else 0


def _response(record: Any) -> Mapping[str, Any] | None:
    """The response in a record: itself, or under `response` beside its request."""
    for found in (record, dig(record, "response")):
        if has(found, "output") and found.get("object") == "response":
            return found  # type: ignore[no-any-return]
    return None


def _read(record: Any, place: Place) -> Iterator[Trace | Piece]:
    if response := _response(record):
        yield response_trace(response, first(record, "request", "input"))
    elif has(record, "$schemaVersion"):
        yield _run(record)
    elif isinstance(record, list):
        yield take_items(record).trace()
    elif has(record, "items"):
        yield take_items(dicts(record["items"])).trace(trace_id=first(record, "id", "trace_id"))
    elif has(record, "type") or has(record, "role"):
        yield Piece(place.source, record)


def response_trace(response: Mapping[str, Any], request: Any = None) -> Trace:
    """The trace of a response; its output is all that its messages say, as the SDK has it."""
    log = Transcript()
    if isinstance(response.get("instructions"), str):
        log.say("system", response["instructions"])
    _taken(request, log)
    asked, past = len(log.messages), len(log.calls)
    take_items(dicts(response.get("output")), log)
    said = [m["content"] for m in log.messages[asked:] if m["role"] == "assistant"]
    error = response.get("error")
    return log.trace(
        trace_id=response.get("id"),
        output="".join(said),
        tool_calls=log.calls[past:],
        model=response.get("model"),
        error=error or ("failed" if response.get("status") == "failed" else None),
        started_at=response.get("created_at"),
        tool_definitions=response.get("tools"),
        metadata=picked(response, *_ABOUT),
        **tokens(response.get("usage")),
    )


def _taken(asked: Any, log: Transcript | None = None) -> Transcript:
    """What a request says: a text, items, or an object with either as its `input`."""
    log = Transcript() if log is None else log
    asked = asked.get("input") if isinstance(asked, Mapping) else asked
    if isinstance(asked, str):
        log.say("user", asked)
    return take_items(dicts(asked), log)


def _run(state: Mapping[str, Any]) -> Trace:
    """A run of the Agents SDK: Python's writes `raw_item`, JavaScript's `rawItem`."""
    log = _taken(parsed(first(state, "original_input", "originalInput")))
    items = list(dicts(first(state, "generated_items", "generatedItems")))
    main = dig(items, "0.agent.name")
    for item in items:
        agent = dig(item, "agent.name")
        if isinstance(raw := first(item, "raw_item", "rawItem"), Mapping):
            take_items([raw], log, agent=None if agent == main else agent)
    step = first(state, "current_step", "currentStep")
    _hold(log, dig(step, "data.interruptions"))
    said = dig(step, "output")
    return log.trace(
        trace_id=first(state, "conversation_id", "conversationId"),
        output=said if isinstance(said, str) else log.output,
        metadata={"agent": dig(first(state, "current_agent", "currentAgent"), "name")},
        **tokens(dig(state, "context.usage")),
    )


def _hold(log: Transcript, interruptions: Any) -> None:
    """Calls that still wait for approval have no result yet."""
    raw = [first(item, "raw_item", "rawItem") for item in dicts(interruptions)]
    waiting = [first(item, "call_id", "callId", "id") for item in dicts(raw)]
    for call in log.calls:
        if call["id"] in waiting and "result" not in call:
            call["state"] = "approval-requested"


def _join(key: str, items: list[Any]) -> Iterator[Trace]:
    yield take_items(items).trace(trace_id=Place(key, 1).stem)


LAYOUT = Layout(
    "openai_responses", "OpenAI responses and their items, Agents SDK runs", _marks, _read, _join
)
