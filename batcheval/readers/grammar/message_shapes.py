"""Single messages of many frameworks as those of a chat: OTel, Gemini, LangChain, Responses."""

from collections.abc import Mapping
from typing import Any, Final

from batcheval.readers.grammar.chat import ROLES
from batcheval.readers.grammar.values import as_text, dicts, dig, first, text_in

Message = dict[str, Any]
_ROLES: Final = {
    **ROLES,
    **dict.fromkeys(("AIMessage", "AIMessageChunk", "AI"), "assistant"),
    **dict.fromkeys(("HumanMessage", "HumanMessageChunk"), "user"),
    **dict.fromkeys(("SystemMessage", "SystemMessageChunk"), "system"),
    **dict.fromkeys(("ToolMessage", "ToolMessageChunk", "FunctionMessage"), "tool"),
}
_KNOWN: Final = frozenset({"user", "assistant", "system", "tool"})
_CALLS: Final = ("function_call", "custom_tool_call", "mcp_call")
_CALLED: Final = ("function_call_output", "custom_tool_call_output")


def is_message(value: Any) -> bool:
    """Whether a value is one message, or an item of the Responses API that stands for one."""
    if not isinstance(value, Mapping):
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
        id, output = message.get("call_id"), _told(message.get("output"))
        return [{"role": "tool", "content": output, "tool_call_id": id}]
    role = _role(message)
    if not role or (role == "tool" and dig(message, "content.type") == "function"):
        return []  # Langfuse lists the definitions of tools among the messages
    inner = _inner(message)
    if isinstance(inner.get("parts"), list):
        return _of_parts(role, inner)
    return [_of_chat(role, inner)]


def _inner(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """LangChain keeps the message itself in `kwargs` or `data`."""
    held = first(message, "kwargs", "data")
    return held if isinstance(held, Mapping) else message


def _role(message: Mapping[str, Any]) -> str | None:
    kind = first(message, "role", "type")
    names = message.get("id")
    if kind == "constructor" and isinstance(names, list) and names:
        kind = names[-1]
    telling = {"content", "parts", "tool_calls", "function_call", "kwargs", "data"}
    kind = _ROLES.get(kind, kind) if isinstance(kind, str) else None
    return kind if kind in _KNOWN and telling & message.keys() else None


def _of_chat(role: str, message: Mapping[str, Any]) -> Message:
    content = message.get("content")
    made: Message = {"role": role, "content": _told(content) if role == "tool" else content}
    extra = message.get("additional_kwargs")
    calls = [*dicts(message.get("tool_calls"))]
    if not calls and isinstance(extra, Mapping):
        calls = [*dicts(extra.get("tool_calls"))]
    if calls:
        made["tool_calls"] = [call_of(call) for call in calls]
    for key in ("tool_call_id", "name", "function_call"):
        if message.get(key) is not None:
            made[key] = message[key]
    if message.get("status") == "error" or (role == "tool" and message.get("error")):
        made["error"] = message.get("error") or text_in(message.get("content")) or "error"
    return made


def call_of(call: Mapping[str, Any]) -> Message:
    """A call of any framework: its id, name and arguments."""
    inner = call.get("function")
    said = inner if isinstance(inner, Mapping) else call
    name = first(said, "name", "toolName") or (inner if isinstance(inner, str) else None)
    id = first(call, "call_id", "id", "toolCallId", "tool_call_id")
    return {
        "id": id if isinstance(id, str | int) else None,
        "name": name if isinstance(name, str) else None,
        "arguments": first(said, "arguments", "args", "input"),
    }


def _of_parts(role: str, message: Mapping[str, Any]) -> list[Message]:
    """Parts of OTel (`type` and `content`) and of Gemini (one telling key)."""
    texts: list[str] = []
    calls: list[Message] = []
    results: list[Message] = []
    for part in dicts(message["parts"]):
        kind = part.get("type")
        if kind in ("tool_call", "server_tool_call"):
            calls.append(call_of(part))
        elif isinstance(call := first(part, "function_call", "functionCall"), Mapping):
            calls.append(call_of(call))
        elif (answer := _answer(part)) is not None:
            results.append(answer)
        elif kind in (None, "text") and not part.get("thought"):
            said = first(part, "content", "text")
            texts.append(said if isinstance(said, str) else text_in(said))
    if not (texts or calls) and results:
        return results
    made: Message = {"role": role, "content": "".join(texts)}
    return [*results, made | ({"tool_calls": calls} if calls else {})]


def _answer(part: Mapping[str, Any]) -> Message | None:
    if part.get("type") in ("tool_call_response", "server_tool_call_response"):
        said = first(part, "response", "result", "content")
        return {"role": "tool", "content": _told(said), "tool_call_id": part.get("id")}
    answer = first(part, "function_response", "functionResponse")
    if not isinstance(answer, Mapping):
        return None
    about = {"tool_call_id": answer.get("id"), "name": answer.get("name")}
    return {"role": "tool", "content": _told(answer.get("response")), **about}


def _told(result: Any) -> Any:
    """A tool's answer in a message is a text, or parts of one."""
    return result if isinstance(result, list) else as_text(result)
