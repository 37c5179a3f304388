"""Turns as claude-replay writes them: what the user said, and the blocks of the answer."""

from collections.abc import Iterator
from typing import Any, Final

from batcheval.readers.grammar.clock import elapsed_ms
from batcheval.readers.grammar.repeats import once
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.values import dicts, has, text_in
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace

_KINDS: Final = ("text", "thinking", "tool_use")


def _marks(record: Any) -> int:
    if not has(record, "user_text", "blocks"):
        return 0
    kinds = [block.get("kind") for block in dicts(record["blocks"])]
    return 9 if all(kind in _KINDS for kind in kinds) else 6


def _read(record: Any, place: Place) -> Iterator[Piece]:
    if has(record, "blocks"):
        yield Piece(place.source, record)


def _join(key: str, values: list[Any]) -> Iterator[Trace]:
    log = Transcript()
    for turn in once(values, "index", "timestamp"):
        if text_in(turn.get("user_text")):
            log.say("user", turn["user_text"])
        for block in dicts(turn["blocks"]):
            _take(block, log)
    yield log.trace(trace_id=Place(key, 1).stem, started_at=values[0].get("timestamp"))


def _take(block: Any, log: Transcript) -> None:
    call = block.get("tool_call")
    if block.get("kind") == "text":
        log.say("assistant", text_in(block.get("text")))
    elif block.get("kind") == "tool_use" and isinstance(call, dict):
        time = block.get("timestamp")
        log.call(call.get("name"), call.get("input"), started_at=time)
        if call.get("result") is not None:
            made = log.calls[-1]
            made |= {"result": call["result"]}
            made["duration_ms"] = elapsed_ms(time, call.get("resultTimestamp"))
            made |= {"is_error": True} if call.get("is_error") is True else {}


LAYOUT = Layout("claude_replay", "Turns of claude-replay", _marks, _read, _join)
