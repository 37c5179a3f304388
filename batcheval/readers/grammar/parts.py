"""The parts of UI messages, as the AI SDK has had them since version 4, and Mastra."""

from collections.abc import Mapping
from typing import Any, Final

from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.values import dicts, first, text_in

Part = Mapping[str, Any]
_PREFIX: Final = "tool-"
_WITHOUT_CALLS: Final = ("user", "system")


def take_parts(role: str, parts: Any, log: Transcript) -> None:
    """Take down a message of parts: what its text parts say, then its calls.

    Example:
        >>> log = Transcript()
        >>> take_parts("assistant", [
        ...     {"type": "tool-get-time", "toolCallId": "a", "state": "output-available",
        ...      "input": {}, "output": "noon"}, {"type": "text", "text": "It is noon."}], log)
        >>> log.output, log.calls[0]["name"], log.calls[0]["result"]
        ('It is noon.', 'get-time', 'noon')
    """
    log.say(role, text_in(parts) if isinstance(parts, list) else "")
    for part in dicts(parts):
        if role not in _WITHOUT_CALLS and (found := _invocation(part)):
            take_invocation(*found, log)


def _invocation(part: Part) -> tuple[Any, Part] | None:
    """The tool's name and the invocation in a part, if it is one."""
    kind, inner = part.get("type"), part.get("toolInvocation")
    if isinstance(inner, dict):
        return inner.get("toolName"), inner
    if kind == "dynamic-tool":
        return part.get("toolName"), part
    if isinstance(kind, str) and kind.startswith(_PREFIX) and kind != "tool-invocation":
        return kind.removeprefix(_PREFIX), part
    return None


def take_invocation(name: Any, said: Part, log: Transcript) -> None:
    """One state of a tool call: the first is the call, a later one of its id tells its outcome."""
    id, state = said.get("toolCallId"), said.get("state")
    if id is None or not log.awaits(id):
        log.call(name, first(said, "args", "input", "rawInput"), id, state=state)
    more = {"state": state} if state is not None else {}
    if said.get("isError") is True:
        more["is_error"] = True
    if said.get("errorText"):
        more["error"] = said["errorText"]
    result = first(said, "result", "output")
    if result is not None or more.keys() - {"state"}:
        log.answer(result, id, name, **more)
