"""Messages of the Claude Agent SDK: of `query()`, or of `claude --output-format stream-json`."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.claude import Line, session
from batcheval.readers.grammar.repeats import once
from batcheval.readers.grammar.values import dicts, first, has, text_in
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_SPEAKERS: Final = ("user", "assistant")


def _marks(record: Any) -> int:
    if not has(record, "type") or has(record, "sessionId"):
        return 0
    if _is_message(record):
        said = record["message"]
        is_sdk = has(record, "session_id") or has(record, "parent_tool_use_id")
        return 8 if is_sdk else 6 if has(said, "content") and not has(record, "uuid") else 0
    is_init = record["type"] == "system" and record.get("subtype") == "init"
    return 8 if is_init or _is_result(record) else 0


def _is_result(record: Any) -> bool:
    return record["type"] == "result" and any(
        map(record.__contains__, ("duration_ms", "num_turns"))
    )


def _read(record: Any, place: Place) -> Iterator[Piece]:
    if not has(record, "type"):
        return
    if _is_message(record) and not isinstance(record["message"], dict):
        raise ValueError("a message of the Claude Agent SDK that is no object")
    if _is_message(record) or record["type"] in ("system", "result"):
        yield Piece(place.source, record)


def _join(key: str, values: list[Any]) -> Iterator[Trace]:
    """The sessions of a file; a message that does not tell its session is of the last one told."""
    sessions: dict[str | None, list[Any]] = {}
    told = next((id for value in values if (id := _text(value.get("session_id")))), None)
    for value in once(values, "uuid", "type"):
        told = _text(value.get("session_id")) or told
        sessions.setdefault(told, []).append(value)
    for id, said in sessions.items():
        yield _session(id or Place(key, 1).stem, said)


def _session(id: str, values: list[Any]) -> Trace:
    trace = session(map(_line, filter(_is_message, values)))
    init: Any = next((value for value in values if value.get("subtype") == "init"), {})
    result: Any = next((value for value in reversed(values) if value["type"] == "result"), {})
    refused = [denial.get("tool_use_id") for denial in dicts(result.get("permission_denials"))]
    for call in trace["tool_calls"]:
        if call["id"] in refused:
            call.pop("is_error", None)
            call["state"] = "denied"
    said = _text(result.get("result"))
    return {
        **trace,
        "trace_id": id,
        "output": trace["output"] if said is None else said,
        "model": trace["model"] or init.get("model"),
        "error": _failure(result),
        "cost": result.get("total_cost_usd"),
        "latency_ms": result.get("duration_ms"),
        "metadata": {key: init[key] for key in ("cwd", "tools") if key in init},
    }


def _line(value: Any) -> Line:
    message = {"role": value["type"], **value["message"]}
    parent = _text(value.get("parent_tool_use_id"))
    return Line(message=message, time=value.get("timestamp"), chain=parent, parent=parent)


def _failure(result: Any) -> Any:
    if result.get("is_error") is not True:
        return None
    return text_in(first(result, "errors", "result")) or first(result, "subtype") or "error"


def _is_message(record: Any) -> bool:
    return has(record, "type", "message") and record["type"] in _SPEAKERS


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


LAYOUT = Layout(
    "claude_agent_sdk",
    "Claude Agent SDK messages, stream-json output among them",
    _marks,
    _read,
    _join,
)
