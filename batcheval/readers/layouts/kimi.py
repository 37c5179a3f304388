"""Sessions of Kimi Code: the records of its agents' `wire.jsonl`."""

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, Final

from batcheval.readers.grammar.clock import elapsed_ms
from batcheval.readers.grammar.repeats import once
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.usage import Usage
from batcheval.readers.grammar.values import as_text, dig, first, has, text_in
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_MAIN: Final = "main"  # the agent that others are started by
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
    """A session is a folder: of one `wire.jsonl`, or of `agents/<name>/wire.jsonl`, one each."""
    if has(record, "type") and record["type"] in _TOLD:
        path = PurePath(place.source)
        is_agent = path.name == "wire.jsonl" and path.parent.parent.name == "agents"
        agent = path.parent.name if is_agent and path.parent.name != _MAIN else None
        key = str(path.parents[2]) if is_agent else place.source
        yield Piece(key, record | {"agent": agent})


def _join(key: str, values: list[Any]) -> Iterator[Trace]:
    logs: dict[Any, Transcript] = {None: Transcript()}
    usage, starts = Usage(), dict[str, Any]()
    for agent in dict.fromkeys((None, *(value["agent"] for value in values))):
        log = logs.setdefault(agent, Transcript())
        mine = [value for value in values if value["agent"] == agent]
        for value in once(mine, "event.toolCallId", "event.type"):
            usage.add(value.get("usage"))
            _take_record(value, log, starts)
    calls = [
        call | ({"agent": agent, "message": None} if agent else {})
        for agent, log in logs.items()
        for call in log.calls
    ]
    yield logs[None].trace(
        trace_id=_session(PurePath(key)),
        tool_calls=calls,
        model=next((value["model"] for value in values if value.get("model")), None),
        started_at=next((value["time"] for value in values if value.get("time")), None),
        **usage.fields,
    )


def _take_record(value: Any, log: Transcript, starts: dict[str, Any]) -> None:
    if isinstance(value.get("event"), dict):
        _take(value["event"], value.get("time"), log, starts)
    elif dig(value, "message.role") == "user" and _is_users(value["message"]):
        log.say("user", text_in(value["message"].get("content")))


def _session(path: PurePath) -> str:
    """A session is called by its folder, where the file's own name is that of them all."""
    named = path.parent.name if path.name == "wire.jsonl" else path.stem
    return named or path.stem


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
