"""OpenCode: the events of `opencode run --format json`, and whole sessions of `opencode export`."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.clock import elapsed_ms
from batcheval.readers.grammar.repeats import once
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.usage import Usage
from batcheval.readers.grammar.values import as_text, dicts, dig, first, has, text_in
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_EVENTS: Final = ("tool_use", "text", "reasoning", "step_start", "step_finish", "error")


def _marks(record: Any) -> int:
    if has(record, "type", "sessionID"):
        is_event = record["type"] in _EVENTS and (has(record, "part") or has(record, "error"))
        return 9 if is_event else 5
    return 9 if _is_export(record) else 0


def _is_export(record: Any) -> bool:
    if not has(record, "info", "messages"):
        return False
    start = next(iter(dicts(record["messages"])), None)
    return has(start, "info", "parts") and (start is not None and has(start["info"], "sessionID"))


def _read(record: Any, place: Place) -> Iterator[Trace | Piece]:
    if _is_export(record):
        messages = [*dicts(record["messages"])]
        parts = [_said_by(message, part) for message in messages for part in dicts(_parts(message))]
        yield _trace(parts, trace_id=dig(record, "info.id"))
    elif has(record, "type", "sessionID"):
        part = record.get("part")
        value = {"part": part} if isinstance(part, dict) else {"error": record.get("error")}
        key = record["sessionID"]
        value |= {"role": "assistant", "time": record.get("timestamp"), "session": key}
        yield Piece(key if isinstance(key, str) else place.source, value)


def _parts(message: Any) -> Any:
    return message.get("parts")


def _said_by(message: Any, part: Any) -> dict[str, Any]:
    info = message.get("info")
    return {"part": part, "role": dig(info, "role"), "time": dig(info, "time.created")} | {
        "model": dig(info, "modelID")
    }


def _join(key: str, values: list[Any]) -> Iterator[Trace]:
    parts = once(once(values, "part.id", "part.type"), "part.callID", "part.state.status")
    yield _trace(parts, trace_id=values[0].get("session"))


def _trace(values: list[Any], **fields: Any) -> Trace:
    log, usage = Transcript(), Usage()
    errors = [_reason(value["error"]) for value in values if value.get("error") is not None]
    for value in values:
        part = value.get("part")
        if isinstance(part, dict):
            _take(part, str(value.get("role") or "assistant"), log)
            if part.get("type") == "step-finish":
                usage.add(_tokens(part.get("tokens")), part.get("cost"))
    return log.trace(
        model=next((value["model"] for value in values if value.get("model")), None),
        error=errors[-1] if errors else None,
        started_at=values[0].get("time") if values else None,
        **usage.fields,
        **fields,
    )


def _take(part: Any, role: str, log: Transcript) -> None:
    if part.get("type") == "text" and part.get("synthetic") is not True:
        log.say(role, text_in(part.get("text")))
    elif part.get("type") == "tool":
        _tool(part, log)


def _tool(part: Any, log: Transcript) -> None:
    """A tool part in one of its states; a later one of the same call replaces it."""
    state = part["state"] if isinstance(part.get("state"), dict) else {}
    id, name = part.get("callID"), part.get("tool")
    start, end = dig(state, "time.start"), dig(state, "time.end")
    if id is None or not log.awaits(id):
        log.call(name, state.get("input"), id, state=state.get("status"), started_at=start)
    if state.get("status") not in ("completed", "error"):
        return
    more = {"state": state["status"], "duration_ms": elapsed_ms(start, end)}
    if state.get("input") is not None:
        more["args"] = state["input"]
    if state.get("error"):
        more["error"] = state["error"]
    log.answer(first(state, "output", "error"), id, name, **more)


def _tokens(tokens: Any) -> dict[str, Any]:
    """Its counts in the words of `Usage`: cached tokens stand apart."""
    names = {"input": "input", "output": "output", "total": "total"}
    names |= {"cacheRead": "cache.read", "cacheWrite": "cache.write"}
    return {name: dig(tokens, path) for name, path in names.items()}


def _reason(error: Any) -> str:
    told = dig(error, "data.message") or dig(error, "message") or dig(error, "name")
    return as_text(told or error)


LAYOUT = Layout("opencode", "OpenCode runs and exported sessions", _marks, _read, _join)
