"""Single messages of many frameworks as those of a chat: OTel, Gemini, LangChain, Responses."""

from collections.abc import Mapping
from typing import Any, Final

from batcheval.readers.grammar.chat import ROLES
from batcheval.readers.grammar.message_parts import Message, answer_text, call_of, of_parts
from batcheval.readers.grammar.values import dicts, dig, first, text_in

_ROLES: Final = {
    **ROLES,
    **dict.fromkeys(("AIMessage", "AIMessageChunk", "AI"), "assistant"),
    **dict.fromkeys(("HumanMessage", "HumanMessageChunk"), "user"),
    **dict.fromkeys(("SystemMessage", "SystemMessageChunk"), "system"),
    **dict.fromkeys(("ToolMessage", "ToolMessageChunk", "FunctionMessage"), "tool"),
}
_KNOWN: Final = frozenset({"user", "assistant", "system", "tool"})
_TELLING: Final = frozenset(("content", "parts", "tool_calls", "function_call", "kwargs", "data"))
_CALLS: Final = ("function_call", "custom_tool_call", "mcp_call")
_USES: Final = ("tool_use", "server_tool_use", "mcp_tool_use", "tool-call")
_CALLED: Final = ("function_call_output", "custom_tool_call_output")


def is_message(value: Any) -> bool:
    """Whether a value is one message, or an item of the Responses API that stands for one."""
    if not isinstance(value, dict):
        return False
    return bool(_role(value)) or value.get("type") in (*_CALLS, *_CALLED)


def as_messages(message: Mapping[str, Any]) -> list[Message]:
    """A message of any framework as messages of a chat: none for what is no message.

    Example:
        >>> call = {"name": "weather", "args": {"city": "Oslo"}, "id": "a"}
        >>> as_messages({"lc": 1, "type": "constructor", "id": ["x", "AIMessage"],
        ...              "kwargs": {"content": "", "tool_calls": [call]}})
        [{'role': 'assistant', 'content': '', 'tool_calls': [{'id': 'a', 'name': 'weather', \
'arguments': {'city': 'Oslo'}}]}]
        >>> as_messages({"type": "function_call_output", "call_id": "a", "output": "sunny"})
        [{'role': 'tool', 'content': 'sunny', 'tool_call_id': 'a'}]
    """
    kind = message.get("type")
    if kind in _CALLS:
        return [{"role": "assistant", "content": "", "tool_calls": [call_of(message)]}]
    if kind in _CALLED:
        id, output = message.get("call_id"), answer_text(message.get("output"))
        return [{"role": "tool", "content": output, "tool_call_id": id}]
    role = _role(message)
    if not role or (role == "tool" and dig(message, "content.type") == "function"):
        return []  # Langfuse lists the definitions of tools among the messages
    inner = _inner(message)
    if isinstance(inner.get("parts"), list):
        return of_parts(role, inner)
    return [_of_chat(role, inner)]


def _inner(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """LangChain keeps the message itself in `kwargs` or `data`."""
    held = first(message, "kwargs", "data")
    return held if isinstance(held, dict) else message


def _role(message: Mapping[str, Any]) -> str | None:
    kind = message.get("role")
    if type(kind) is str and kind in _KNOWN:  # as most are
        return None if _TELLING.isdisjoint(message) else kind
    kind = first(message, "role", "type")
    names = message.get("id")
    if kind == "constructor" and isinstance(names, list) and names:
        kind = names[-1]
    kind = _ROLES.get(kind, kind) if isinstance(kind, str) else None
    return kind if kind in _KNOWN and not _TELLING.isdisjoint(message) else None


def _of_chat(role: str, message: Mapping[str, Any]) -> Message:
    content: Any = message.get("content")
    made: Message = {"role": role, "content": answer_text(content) if role == "tool" else content}
    calls = [*map(call_of, _told_calls(message))]
    if blocks := _calls_in_blocks(content):
        made["content"] = [block for block in content if block not in blocks]
        calls = calls or [call_of(first(block, "toolUse") or block) for block in blocks]
    if calls:
        made["tool_calls"] = calls
    for key in ("tool_call_id", "name", "function_call"):
        if message.get(key) is not None:
            made[key] = message[key]
    if message.get("status") == "error" or (role == "tool" and message.get("error")):
        made["error"] = message.get("error") or text_in(message.get("content")) or "error"
    return made


def _told_calls(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """LangChain keeps OpenAI's own calls beside its: one of them counts."""
    extra = message.get("additional_kwargs")
    own = [*dicts(message.get("tool_calls"))]
    return own or [*dicts(extra.get("tool_calls") if isinstance(extra, dict) else None)]


def _calls_in_blocks(content: Any) -> list[Mapping[str, Any]]:
    """The blocks that are calls, save where their results stand beside them."""
    blocks = [*dicts(content)]
    if any("result" in str(block.get("type")) for block in blocks):
        return []
    return [b for b in blocks if b.get("type") in _USES or isinstance(b.get("toolUse"), dict)]
