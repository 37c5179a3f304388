"""Codex: rollout files (`~/.codex/sessions/…/rollout-*.jsonl`), and `codex exec --json`."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.codex import CALLS, take_exec, take_item
from batcheval.readers.grammar.repeats import once
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.usage import Usage
from batcheval.readers.grammar.values import as_text, dicts, dig, first, has, text_in
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_LINES: Final = ("session_meta", "turn_context", "response_item", "event_msg", "compacted")
_ITEMS: Final = ("item.started", "item.updated", "item.completed")
_TURNS: Final = ("thread.started", "turn.started", "turn.completed", "turn.failed")
_BARE: Final = (*CALLS, *(f"{kind}_output" for kind in CALLS), "reasoning", "message")


def _marks(record: Any) -> int:
    if not has(record, "type"):
        is_whole = any(_marks(event) >= 9 for event in [*dicts(dig(record, "events"))][:50])
        return 9 if is_whole else 6 if has(record, "record_type") else _marks_old(record)
    kind = record["type"]
    if has(record, "payload"):
        return 9 if kind in _LINES else 0
    if kind in _ITEMS:
        return 9 if has(record.get("item"), "type") else 0
    if kind in _TURNS:
        return 8
    is_item = has(record, "call_id") or has(record, "role", "content")
    return 2 if kind in _BARE and is_item and not has(record, "stop_reason") else 0


def _marks_old(record: Any) -> int:
    """The first line of an old rollout, whose items have no envelope."""
    is_start = has(record, "id", "timestamp", "instructions")
    return 6 if is_start and not has(record, "messages") else 0


def _read(record: Any, place: Place) -> Iterator[Trace | Piece]:
    if not isinstance(record, dict):
        return
    if "type" not in record and ("events" in record or "items" in record):
        yield from _join(place.source, [*dicts(record.get("events") or record.get("items"))])
    elif record.get("type") in _LINES and not isinstance(record.get("payload"), dict):
        raise ValueError("a line of a Codex rollout without a payload")
    elif record.get("type") not in ("turn.started", "compacted"):
        yield Piece(place.source, record)


def _join(key: str, values: list[Any]) -> Iterator[Trace]:
    log, usage = Transcript(), Usage()
    seen, calls = set[str](), dict[str, dict[str, Any]]()
    values = once(once(values, "timestamp", "payload"), "item.id", "type")
    has_user = any(_event(value, "user_message") for value in values)
    for value in values:
        item = value.get("payload") if value.get("type") == "response_item" else value
        if said := _event(value, "user_message"):
            log.say("user", text_in(said.get("message")))
        elif isinstance(value.get("item"), dict):
            take_exec(value["item"], log, calls)
        elif not (has_user and dig(item, "role") == "user"):
            take_item(item, value.get("timestamp"), log, seen)
        usage.add(value.get("usage"))
    usage.add(_total(values))
    yield log.trace(**_about(values, Place(key, 1).session), **usage.fields)


def _event(value: Any, kind: str) -> Any:
    payload = value.get("payload") if value.get("type") == "event_msg" else None
    return payload if isinstance(payload, dict) and payload.get("type") == kind else None


def _total(values: list[Any]) -> Any:
    """What the session used so far, as the last count has it."""
    counts = (_event(value, "token_count") for value in reversed(values))
    return next((t for c in counts if (t := dig(c, "info.total_token_usage"))), None)


def _about(values: list[Any], named: str) -> dict[str, Any]:
    metas = [value["payload"] for value in values if value.get("type") == "session_meta"]
    old: Any = next((value for value in values if "type" not in value and "id" in value), {})
    meta = next((meta for meta in metas if isinstance(meta, dict)), old)
    turns = [value for value in values if value.get("type") == "turn_context"]
    thread = next((value["thread_id"] for value in values if "thread_id" in value), None)
    return {
        "trace_id": meta.get("id") or thread or named,
        "model": next((m for turn in turns if (m := dig(turn, "payload.model"))), None),
        "started_at": first(values[0], "timestamp") if values else None,
        "error": _failure(values),
        "metadata": {key: meta[key] for key in ("cwd", "cli_version") if key in meta},
    }


def _failure(values: list[Any]) -> Any:
    """The error of the last turn, if that failed."""
    failed = None
    for value in values:
        told = value.get("error") if value.get("type") == "turn.failed" else None
        told = told or _event(value, "error") or _event(value, "turn_aborted")
        if told:
            failed = as_text(first(told, "message", "reason") if isinstance(told, dict) else told)
        elif value.get("type") == "turn.completed" or _event(value, "task_complete"):
            failed = None
    return failed


LAYOUT = Layout("codex_rollout", "Codex rollouts and `codex exec --json`", _marks, _read, _join)
