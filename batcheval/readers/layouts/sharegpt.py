"""ShareGPT conversations: `from` and `value`, with calls of tools as turns of their own."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from batcheval.readers.grammar.turns import CALLERS, take_turns
from batcheval.readers.grammar.values import dicts, first, has, parsed, picked, text_in
from batcheval.readers.layouts.layout import Layout, Place, Trace

_LISTS: Final = ("conversations", "conversation", "messages")


def _marks(record: Any) -> int:
    turns = list(dicts(_turns(record)))
    if any(has(turn, "from", "value") for turn in turns):
        return 10
    roles = {turn["role"] for turn in turns if isinstance(turn.get("role"), str)}
    if roles & {*CALLERS, "tool_response", "observation"}:
        return 7
    return int(has(record, "conversations") and record["conversations"] == [])


def _turns(record: Any) -> Any:
    return parsed(first(record, *_LISTS)) if isinstance(record, Mapping) else None


def _read(record: Any, place: Place) -> Iterator[Trace]:
    turns = _turns(record)
    if not isinstance(turns, list):
        return
    if not any(dicts(turns)):
        raise ValueError("the conversation has no turns")
    chosen = parsed(record.get("chosen"))
    said = [chosen] if isinstance(chosen, Mapping) else []
    opening = [{"from": "system", "value": record["system"]}] if record.get("system") else []
    log = take_turns([*opening, *turns, *said])
    rejected = parsed(record.get("rejected"))
    refused = first(rejected, "value", "content") if isinstance(rejected, Mapping) else None
    yield log.trace(
        trace_id=first(record, "id", "conversation_id", "trace_id"),
        model=record.get("model"),
        tool_definitions=record.get("tools"),
        labels=picked(record, "label", "labels", "score", "scores"),
        metadata={"rejected": text_in(refused)} if refused else picked(record, "source"),
    )


LAYOUT = Layout("sharegpt", "ShareGPT conversations, Hermes and ms-swift among them", _marks, _read)
