"""Sessions of Claude Code (`~/.claude/projects/…`), and messages of the Claude Agent SDK."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.claude import Line, session
from batcheval.readers.grammar.values import dicts, first, has, text_in
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_SPEAKERS: Final = ("user", "assistant")
_OTHERS: Final = ("system", "progress", "attachment", "queue-operation", "file-history-snapshot")
_ABOUT: Final = ("cwd", "version", "gitBranch")


def _is_message(record: Any) -> bool:
    return has(record, "type", "message") and record["type"] in _SPEAKERS


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


# Claude Code


def _marks(record: Any) -> int:
    if not has(record, "type"):
        return 0
    if has(record, "sessionId"):
        is_line = has(record, "uuid") or record["type"] in _OTHERS
        return 9 if _is_message(record) and is_line else 6 * is_line
    is_other = record["type"] == "file-history-snapshot" and has(record, "messageId")
    return 6 if is_other or has(record, "summary", "leafUuid") else 0


def _read(record: Any, place: Place) -> Iterator[Piece]:
    if not _is_message(record):
        return
    if not isinstance(record["message"], dict):
        raise ValueError("a line of Claude Code whose message is no object")
    kept = ("sessionId", "uuid", "parentUuid", "isSidechain", "agentId", "timestamp", *_ABOUT)
    line = {key: record[key] for key in kept if record.get(key) is not None}
    message = {"role": record["type"], **record["message"]}
    yield Piece(_text(record.get("sessionId")) or place.source, line | {"message": message})


def _join(key: str, values: list[Any]) -> Iterator[Trace]:
    start = values[0]
    yield {
        **session(_code_lines(values)),
        "trace_id": start.get("sessionId") or Place(key, 1).stem,
        "started_at": start.get("timestamp"),
        "metadata": {name: start[name] for name in _ABOUT if name in start},
    }


def _code_lines(values: list[Any]) -> Iterator[Line]:
    """The lines, once each; a side chain is known by its agent, or by the line it starts at."""
    chains: dict[str | None, str] = {}
    seen: set[str | None] = {None}
    for value in values:
        uuid = _text(value.get("uuid"))
        if uuid in seen and uuid is not None:
            continue
        seen.add(uuid)
        chain = None
        if value.get("isSidechain") is True:
            above = chains.get(_text(value.get("parentUuid")))
            chain = _text(value.get("agentId")) or above or uuid or "sidechain"
            chains[uuid or chain] = chain
        time = value.get("timestamp")
        yield Line(message=value["message"], time=time, chain=chain, parent=None)


# Claude Agent SDK: what `query()` yields, and `claude -p --output-format stream-json` prints


def _sdk_marks(record: Any) -> int:
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


def _sdk_read(record: Any, place: Place) -> Iterator[Piece]:
    if not has(record, "type"):
        return
    if _is_message(record) and not isinstance(record["message"], dict):
        raise ValueError("a message of the Claude Agent SDK that is no object")
    if _is_message(record) or record["type"] in ("system", "result"):
        yield Piece(place.source, record)


def _sdk_join(key: str, values: list[Any]) -> Iterator[Trace]:
    trace = session(map(_sdk_line, filter(_is_message, values)))
    ids = [value["session_id"] for value in values if isinstance(value.get("session_id"), str)]
    init: Any = next((value for value in values if value.get("subtype") == "init"), {})
    result: Any = next((value for value in reversed(values) if value["type"] == "result"), {})
    refused = [denial.get("tool_use_id") for denial in dicts(result.get("permission_denials"))]
    for call in trace["tool_calls"]:
        if call["id"] in refused:
            call.pop("is_error", None)
            call["state"] = "denied"
    said = _text(result.get("result"))
    yield {
        **trace,
        "trace_id": ids[0] if ids else Place(key, 1).stem,
        "output": trace["output"] if said is None else said,
        "model": trace["model"] or init.get("model"),
        "error": _failure(result),
        "cost": result.get("total_cost_usd"),
        "latency_ms": result.get("duration_ms"),
        "metadata": {key: init[key] for key in ("cwd", "tools") if key in init},
    }


def _sdk_line(value: Any) -> Line:
    message = {"role": value["type"], **value["message"]}
    parent = _text(value.get("parent_tool_use_id"))
    return Line(message=message, time=value.get("timestamp"), chain=parent, parent=parent)


def _failure(result: Any) -> Any:
    if result.get("is_error") is not True:
        return None
    return text_in(first(result, "errors", "result")) or first(result, "subtype") or "error"


LAYOUTS: Final = (
    Layout("claude_code", "Claude Code sessions, sub-agents among them", _marks, _read, _join),
    Layout(
        "claude_agent_sdk",
        "Claude Agent SDK messages, stream-json output among them",
        _sdk_marks,
        _sdk_read,
        _sdk_join,
    ),
)
