"""Sessions of Kimi Code: the records of a `wire.jsonl`, one agent's each."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.clock import elapsed_ms
from batcheval.readers.grammar.repeats import once
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.usage import Usage
from batcheval.readers.grammar.values import as_text, dig, first, has, text_in
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_LOOP: Final = "context.append_loop_event"
_MESSAGE: Final = "context.append_message"
_TOLD: Final = (_LOOP, _MESSAGE, "usage.record")
_OTHERS: Final = ("turn.prompt", "turn.cancel", "config.update", "context.apply_compaction")


def _marks(record: Any) -> int:
    if not has(record, "type"):
        return 0
    kind = record["type"]
    if kind == _LOOP:
        return 9 if has(record.get("event"), "type") else 0
    if kind == "metadata":
        return 8 if has(record, "protocol_version") else 0
    return 8 if kind in _TOLD else 6 if kind in _OTHERS else 0


def _read(record: Any, place: Place) -> Iterator[Piece]:
    if has(record, "type") and record["type"] in _TOLD:
        yield Piece(place.source, record)


def _join(key: str, values: list[Any]) -> Iterator[Trace]:
    log, usage = Transcript(), Usage()
    starts: dict[str, Any] = {}
    for value in once(values, "event.toolCallId", "event.type"):
        usage.add(value.get("usage"))
        if isinstance(value.get("event"), dict):
            _take(value["event"], value.get("time"), log, starts)
        elif dig(value, "message.role") == "user" and _is_users(value["message"]):
            log.say("user", text_in(value["message"].get("content")))
    yield log.trace(
        trace_id=Place(key, 1).stem,
        model=next((value["model"] for value in values if value.get("model")), None),
        started_at=next((value["time"] for value in values if value.get("time")), None),
        **usage.fields,
    )


def _is_users(message: Any) -> bool:
    """Whether a message is the user's own, not one that the program put in."""
    return dig(message, "origin.kind") in (None, "user")


def _take(event: Any, time: Any, log: Transcript, starts: dict[str, Any]) -> None:
    kind, id = event.get("type"), event.get("toolCallId")
    if kind == "content.part" and dig(event, "part.type") == "text":
        log.say("assistant", text_in(event["part"].get("text")))
    elif kind == "tool.call":
        starts[as_text(id)] = time
        log.call(event.get("name"), event.get("args"), id, started_at=time)
    elif kind == "tool.result":
        result = event.get("result")
        more: dict[str, Any] = {"is_error": True} if dig(result, "isError") is True else {}
        more["duration_ms"] = elapsed_ms(starts.get(as_text(id)), time)
        said = first(result, "output", "content") if isinstance(result, dict) else result
        log.answer(text_in(said) or said, id, event.get("name"), **more)


LAYOUT = Layout("kimi", "Sessions of Kimi Code", _marks, _read, _join)
