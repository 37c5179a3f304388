"""Items of OpenAI's Responses API: messages, calls of every kind, and what came of them."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.turns import take_turns
from batcheval.readers.grammar.values import first, text_in

_ARGS: Final = ("arguments", "input", "action", "operation", "queries", "code")
_RESULTS: Final = ("output", "outputs", "results", "result")
_FAILED: Final = ("failed", "incomplete")


def take_items(items: Iterable[Any], log: Transcript | None = None, **more: Any) -> Transcript:
    """Take down items of a response or of its input; of no interest are those of other types.

    Args:
        items: objects with a `type`, or messages with a `role`.
        log: the transcript to go on with.
        more: further fields of each call, such as `agent`.

    Example:
        >>> log = take_items([
        ...     {"role": "user", "content": "Weather?"},
        ...     {"type": "function_call", "call_id": "a", "name": "weather", "arguments": "{}"},
        ...     {"type": "function_call_output", "call_id": "a", "output": "sunny"},
        ...     {"type": "message", "role": "assistant", "content": [
        ...         {"type": "output_text", "text": "Sunny."}]},
        ... ])
        >>> log.output, log.calls[0]["name"], log.calls[0]["result"]
        ('Sunny.', 'weather', 'sunny')
    """
    log = Transcript() if log is None else log
    for item in items:
        if isinstance(item, dict):
            _take(item, log, more)
    return log


def is_item(value: Any) -> bool:
    """Whether a value is an item that no other message is like."""
    return isinstance(value, dict) and (is_call(value) or is_answer(value))


def is_call(item: Mapping[str, Any]) -> bool:
    """Whether an item is a call: of a function, of an MCP server's tool, of a hosted tool."""
    return str(item.get("type")).endswith("_call") and item["type"] != "tool_call"


def is_answer(item: Mapping[str, Any]) -> bool:
    """Whether an item is the result of a call that was made on the client's side."""
    kind = str(item.get("type"))
    return kind.endswith(("_call_output", "_call_result")) or kind in (
        "tool_search_output",
        "program_output",
    )


def _take(item: Mapping[str, Any], log: Transcript, more: dict[str, Any]) -> None:
    if is_call(item):
        _call(item, log, more)
    elif is_answer(item):
        _answer(item, log)
    elif item.get("type") in ("message", None):
        take_turns([{"role": "assistant", **item}], log)


def _call(item: Mapping[str, Any], log: Transcript, more: dict[str, Any]) -> None:
    """A call; that of a hosted tool has its result with it, or none at all."""
    status, id = item.get("status"), first(item, "call_id", "callId", "id")
    log.act()
    name = first(item, "name") or str(item["type"]).removesuffix("_call")
    log.call(name, first(item, *_ARGS), id, state=status, **more)
    result = first(item, *_RESULTS)
    if result is not None or _signs(item):
        log.answer(result, id, **_signs(item))


def _answer(item: Mapping[str, Any], log: Transcript) -> None:
    result = first(item, *_RESULTS)
    if isinstance(result, list) and text_in(result):
        result = text_in(result)
    if isinstance(result, dict) and result.get("type") == "text":  # as the SDK for JS has it
        result = text_in(result)
    state = item.get("status")
    log.answer(result, first(item, "call_id", "callId"), **_signs(item), state=state)


def _signs(item: Mapping[str, Any]) -> dict[str, Any]:
    """The marks of an error."""
    if item.get("error") is not None:
        return {"error": item["error"], "is_error": True}
    return {"is_error": True} if item.get("status") in _FAILED else {}
