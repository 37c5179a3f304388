"""What Codex puts down: items of the Responses API, and the events of `codex exec --json`."""

from collections.abc import Mapping
from typing import Any, Final

from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.values import dig, first, parsed, text_in

Item = Mapping[str, Any]
CALLS: Final = ("function_call", "custom_tool_call", "local_shell_call", "web_search_call")
EXEC_CALLS: Final = ("command_execution", "mcp_tool_call", "file_change", "web_search")
_STATES: Final = {"declined": "denied"}


def take_item(item: Item, time: Any, log: Transcript, seen: set[str]) -> None:
    """An item of a rollout: what is said, a call, or the output of one.

    Args:
        item: the item.
        time: when it was written.
        log: where it is taken down.
        seen: the ids of the calls so far; a call that comes again is no other one.
    """
    kind = str(item.get("type"))
    if kind == "message":
        role = str(item.get("role"))
        log.say("system" if role == "developer" else role, text_in(item.get("content")))
    elif kind in CALLS:
        id = first(item, "call_id", "id")
        if not (isinstance(id, str) and id in seen):
            name = item.get("name") or kind.removesuffix("_call")
            log.call(name, first(item, "arguments", "input", "action"), id, started_at=time)
        seen.add(str(id))
    elif kind.removesuffix("_output") in CALLS:
        _take_output(item, log)


def _take_output(item: Item, log: Transcript) -> None:
    """An output is a text, the JSON of an object in a text, that object, or content parts."""
    told = item.get("output")
    output = parsed(told) if isinstance(told, str) else told
    more: dict[str, Any] = {}
    said = told
    if isinstance(output, dict):
        said = next((output[key] for key in ("output", "content") if key in output), told)
        if dig(output, "metadata.exit_code") or output.get("success") is False:
            more["is_error"] = True
        if isinstance(seconds := dig(output, "metadata.duration_seconds"), int | float):
            more["duration_ms"] = seconds * 1000
    log.answer(text_in(said) or said, item.get("call_id"), **more)


def take_exec(item: Item, log: Transcript, calls: dict[str, dict[str, Any]]) -> None:
    """An item of an event of `codex exec --json`; each comes once it starts, and again.

    Args:
        item: the item.
        log: where it is taken down.
        calls: the calls so far by the item's id.
    """
    kind, id = str(item.get("type")), str(item.get("id"))
    if kind == "agent_message" and id not in calls:
        log.say("assistant", text_in(item.get("text")))
    if kind not in EXEC_CALLS:
        return
    if id not in calls:
        log.call(item.get("tool") or kind, _exec_args(item), item.get("id"))
        calls[id] = log.calls[-1]
    calls[id] |= _exec_outcome(item)


def _exec_args(item: Item) -> Any:
    told = {key: item[key] for key in ("command", "changes", "query") if key in item}
    return first(item, "arguments") if "arguments" in item else told


def _exec_outcome(item: Item) -> dict[str, Any]:
    status = item.get("status")
    outcome: dict[str, Any] = {} if status is None else {"state": _STATES.get(str(status), status)}
    result = first(item, "aggregated_output", "result")
    if result is not None and status != "in_progress":
        outcome["result"] = text_in(dig(result, "content")) or result
    if item.get("exit_code") or status == "failed":
        outcome["is_error"] = True
    if error := item.get("error"):
        outcome["error"] = dig(error, "message") or error
    return outcome
