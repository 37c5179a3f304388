"""Sessions of Claude's agents: lines that hold messages in pieces, sub-agents' too."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypedDict

from batcheval.readers.grammar.chat import transcribe
from batcheval.readers.grammar.clock import elapsed_ms
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.usage import Usage
from batcheval.readers.grammar.values import dicts, dig, first, has, text_in
from batcheval.readers.layouts.layout import Trace

# How Claude Code reports that the user said no, as an error of the tool.
_REJECTED: Final = "The user doesn't want to proceed with this tool use"


class Line(TypedDict):
    """A line of a session: a message or a block of one, and who says it.

    Attributes:
        message: as Anthropic has it.
        time: when.
        chain: the sub-agent's conversation that it is of, null in the main one.
        parent: the id of the call that started the sub-agent, where the line tells.
    """

    message: dict[str, Any]
    time: Any
    chain: str | None
    parent: str | None


def session(lines: Iterable[Line]) -> Trace:
    """The trace of a session: calls of all agents, messages and output of the main one."""
    main, sides, usage = Transcript(), dict[str, _Side](), Usage()
    calls: list[dict[str, Any]] = []
    running: dict[str, dict[str, Any]] = {}
    model = None
    for line in _whole(lines):
        message, chain = line["message"], line["chain"]
        side = None if chain is None else sides.setdefault(chain, _Side(line))
        log = main if side is None else side.log
        made = len(log.calls)
        transcribe([message], log)
        _time(line, log.calls[made:], running)
        calls += log.calls[made:]
        usage.add(message.get("usage"))
        model = model or _model(message)
    for side in sides.values():
        side.name_calls(calls)
    for call in calls:
        _settle(call)
    return main.trace(tool_calls=calls, model=model, **usage.fields)


class _Side:
    """The conversation of a sub-agent."""

    def __init__(self, start: Line) -> None:
        self.log = Transcript()
        self._task = text_in(start["message"].get("content"))
        self._name, self._parent = start["chain"], start["parent"]

    def name_calls(self, calls: list[dict[str, Any]]) -> None:
        """Tell each of its calls who made it, and which call started the sub-agent."""
        mine = {id(call) for call in self.log.calls}
        start = next((c for c in calls if id(c) not in mine and self._is_start(c)), {})
        name = dig(start.get("args"), "subagent_type") or self._name
        parent = start.get("id") or self._parent
        for call in self.log.calls:
            call |= {"agent": name, "parent_id": parent, "message": None}

    def _is_start(self, call: dict[str, Any]) -> bool:
        if self._parent is not None:
            return bool(call["id"] == self._parent)
        return bool(self._task) and dig(call["args"], "prompt") == self._task


def _whole(lines: Iterable[Line]) -> Iterator[Line]:
    """Messages in one piece: a message of the model is written as a line a block."""
    pieces: dict[tuple[str | None, str], Line] = {}
    whole: list[Line] = []
    seen: set[str] = set()
    for line in lines:
        message = line["message"]
        blocks = [block for block in _blocks(message.get("content")) if _is_new(block, seen)]
        id = message.get("id")
        known = pieces.get((line["chain"], id)) if isinstance(id, str) else None
        if known is not None:
            known["message"]["content"] += blocks
            known["message"]["usage"] = first(message, "usage") or known["message"].get("usage")
            continue
        whole.append({**line, "message": {**message, "content": blocks}})
        if isinstance(id, str):
            pieces[line["chain"], id] = whole[-1]
    return iter(whole)


def _blocks(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else [*dicts(content)]


def _is_new(block: Any, seen: set[str]) -> bool:
    """Whether a block is no call, and no result of one, that was there before: a copied history."""
    id = block.get("id") if has(block, "id", "name") else block.get("tool_use_id")
    if not isinstance(id, str):
        return True
    id = f"{block.get('type')} {id}"
    is_new = id not in seen
    seen.add(id)
    return is_new


def _time(line: Line, made: list[dict[str, Any]], running: dict[str, dict[str, Any]]) -> None:
    """Calls start when they are said, and take until their result is there."""
    for block in dicts(line["message"]["content"]):
        id = block.get("tool_use_id")
        if isinstance(id, str) and (call := running.pop(id, None)):
            call["duration_ms"] = elapsed_ms(call["started_at"], line["time"])
    for call in made:
        call["started_at"] = line["time"]
        if isinstance(call["id"], str) and "result" not in call:
            running[call["id"]] = call


def _model(message: dict[str, Any]) -> Any:
    model = message.get("model")
    return None if model == "<synthetic>" else model


def _settle(call: dict[str, Any]) -> None:
    if call.get("is_error") and str(call.get("result")).startswith(_REJECTED):
        del call["is_error"]
        call["state"] = "rejected"
