"""Lists of messages: OpenAI's, and those of Anthropic, Bedrock and the AI SDK."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.values import dicts, dig, first, text_in

ROLES: Final = {
    "human": "user",
    "ai": "assistant",
    "model": "assistant",
    "gpt": "assistant",
    "function": "tool",
    "developer": "system",
}
SPEAKERS: Final = frozenset(("system", "user", "assistant", "tool"))
Block = Mapping[str, Any]


def transcribe(messages: Iterable[Any], log: Transcript | None = None) -> Transcript:
    """Take down a list of messages, whatever dialect each is in.

    Args:
        messages: objects with a `role` and `content`, `tool_calls`, `function_call` or `parts`;
            anything else is passed over.
        log: the transcript to go on with.

    Example:
        >>> log = transcribe([
        ...     {"role": "user", "content": "Weather?"},
        ...     {"role": "assistant", "content": None, "tool_calls": [
        ...         {"id": "a", "function": {"name": "weather", "arguments": "{}"}}]},
        ...     {"role": "tool", "tool_call_id": "a", "content": "sunny"},
        ...     {"role": "assistant", "content": [{"type": "text", "text": "Sunny."}]},
        ... ])
        >>> log.output, [call["name"] for call in log.calls], log.calls[0]["result"]
        ('Sunny.', ['weather'], 'sunny')
    """
    log = Transcript() if log is None else log
    for message in messages:
        if isinstance(message, dict):
            take_message(message, log)
    return log


def take_message(message: Block, log: Transcript) -> None:
    """Take down one message, in whatever dialect it is."""
    role, content = message.get("role"), message.get("content")
    if type(content) is str and type(role) is str and role in SPEAKERS:  # as most are
        if role == "tool":
            _take_answer(message, content, log)
            return
        log.say(role, content, message.get("name"))
        if len(message) > 2:
            _take_calls(message, log)
        return
    role = str(first(message, "role", "type") or "")
    role = ROLES.get(role, role)
    takers = [(take, block) for block in dicts(content) if (take := _taker(block))]
    has_results = any(take in _RESULTS for take, _ in takers) if takers else False
    if role == "tool" and not has_results:
        _take_answer(message, text_in(content), log)
        return
    text = text_in(content)
    if text or role == "assistant" or not has_results:
        log.say(role, text, message.get("name"))
    for take, block in takers:
        take(block, log)
    _take_calls(message, log)


def _take_answer(message: Block, text: str, log: Transcript) -> None:
    failed = message.get("error")
    failed = dig(failed, "message") or failed
    more = {"is_error": True} if failed is True else {"error": failed} if failed else {}
    log.answer(text, first(message, "tool_call_id", "call_id"), message.get("name"), **more)


def _take_calls(message: Block, log: Transcript) -> None:
    for call in dicts(message.get("tool_calls")):
        openai_call(call, log)
    if isinstance(legacy := message.get("function_call"), dict):
        log.call(legacy.get("name"), legacy.get("arguments"))


def openai_call(call: Block, log: Transcript) -> None:
    """One entry of `tool_calls`: with a `function` inside, or flat as LangChain has it."""
    inner = call.get("function")
    id = first(call, "id", "call_id", "tool_call_id")
    if isinstance(inner, dict):
        log.call(inner.get("name"), inner.get("arguments"), id)
    else:
        log.call(first(call, "name", "function"), first(call, "arguments", "args", "input"), id)


def _taker(block: Block) -> Callable[[Block, Transcript], None] | None:
    """What takes down a block of this type; Bedrock's have none, but one telling key."""
    for key in _TELLING:
        if isinstance(block.get(key), dict):
            return _BLOCKS[key]
    kind = str(block.get("type"))
    if kind in _TELLING:
        return None
    return _tool_result if kind.endswith("_tool_result") else _BLOCKS.get(kind)


def _tool_use(block: Block, log: Transcript) -> None:
    log.call(
        first(block, "name", "toolName", "tool_name"),
        first(block, "input", "arguments", "args"),
        first(block, "id", "toolCallId", "tool_call_id"),
    )


def _tool_result(block: Block, log: Transcript) -> None:
    content = first(block, "content", "output", "tool_result", "result")
    kind = content.get("type") if isinstance(content, dict) else None
    failed = block.get("is_error") is True or str(kind).endswith(("_error", *_FAILED))
    if kind in _OUTPUTS and "value" in content:
        content = content["value"]
    said = (text_in(content) or content) if isinstance(content, list) else content
    more: dict[str, Any] = {"is_error": True} if failed else {}
    id, name = first(block, "tool_use_id", "toolCallId", "tool_call_id"), first(block, "toolName")
    log.answer(said, id, name, **more)


def _bedrock_use(block: Block, log: Transcript) -> None:
    use = block["toolUse"] if isinstance(block["toolUse"], dict) else {}
    log.call(use.get("name"), use.get("input"), use.get("toolUseId"))


def _bedrock_result(block: Block, log: Transcript) -> None:
    result = block["toolResult"] if isinstance(block["toolResult"], dict) else {}
    parts = [part.get("text", part.get("json")) for part in dicts(result.get("content"))]
    more: dict[str, Any] = {"is_error": True} if result.get("status") == "error" else {}
    log.answer(parts[0] if len(parts) == 1 else parts, result.get("toolUseId"), **more)


_RESULTS: Final = (_tool_result, _bedrock_result)
_TELLING: Final = ("toolUse", "toolResult")
_FAILED: Final = ("error-text", "error-json")
_OUTPUTS: Final = ("text", "json", "content", *_FAILED)  # of the AI SDK: {type, value}
_BLOCKS: Final[dict[str, Callable[[Block, Transcript], None]]] = {
    **dict.fromkeys(("tool_use", "server_tool_use", "mcp_tool_use"), _tool_use),
    **dict.fromkeys(("tool-call", "tool_call", "toolCall"), _tool_use),
    **dict.fromkeys(("tool_result", "tool-result"), _tool_result),
    **dict(zip(_TELLING, (_bedrock_use, _bedrock_result), strict=True)),
}
