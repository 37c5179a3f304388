"""Calls, answers and parts of messages, as a chat has them."""

from collections.abc import Mapping
from typing import Any

from batcheval.readers.grammar.values import as_text, dicts, first, text_in

Message = dict[str, Any]


def call_of(call: Mapping[str, Any]) -> Message:
    """A call of any framework: its id, name and arguments."""
    inner = call.get("function")
    said = inner if isinstance(inner, dict) else call
    name = first(said, "name", "toolName") or (inner if isinstance(inner, str) else None)
    id = first(call, "call_id", "id", "toolCallId", "toolUseId", "tool_call_id")
    return {
        "id": id if isinstance(id, str | int) else None,
        "name": name if isinstance(name, str) else None,
        "arguments": first(said, "arguments", "args", "input"),
    }


def of_parts(role: str, message: Mapping[str, Any]) -> list[Message]:
    """Parts of OTel (`type` and `content`) and of Gemini (one telling key)."""
    texts: list[str] = []
    calls: list[Message] = []
    results: list[Message] = []
    for part in dicts(message["parts"]):
        kind = part.get("type")
        if kind in ("tool_call", "server_tool_call"):
            calls.append(call_of(part))
        elif isinstance(call := first(part, "function_call", "functionCall"), dict):
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
        return {"role": "tool", "content": answer_text(said), "tool_call_id": part.get("id")}
    answer = first(part, "function_response", "functionResponse")
    if not isinstance(answer, dict):
        return None
    about = {"tool_call_id": answer.get("id"), "name": answer.get("name")}
    return {"role": "tool", "content": answer_text(answer.get("response")), **about}


def answer_text(result: Any) -> Any:
    """A tool's answer in a message is a text, or parts of one."""
    return result if isinstance(result, list) else as_text(result)
