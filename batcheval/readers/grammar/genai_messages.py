"""The messages of a span, in numbered attributes, in JSON, or in the span's events."""

import re
from collections.abc import Mapping
from typing import Any, Final

from batcheval.readers.grammar.attributes import numbered
from batcheval.readers.grammar.payloads import messages_in
from batcheval.readers.grammar.spans import Span
from batcheval.readers.grammar.values import dicts, dig, first, parsed, text_in

Message = dict[str, Any]
_SAID: Final = re.compile(r"gen_ai\.(system|user|assistant|tool)\.message|gen_ai\.choice")
_CALL: Final = {
    "id": ("tool_call.id", "id"),
    "name": ("tool_call.function.name", "name"),
    "arguments": ("tool_call.function.arguments", "arguments"),
}


_PREFIXES: Final = ("llm.input_", "llm.output_", "gen_ai.prompt", "gen_ai.completion", "ai.re")


def messages_of(told: Mapping[str, Any]) -> tuple[list[Message], list[Message]]:
    """The messages that went into a model and came out of it."""
    given = messages_in(first(told, "gen_ai.input.messages", "ai.prompt.messages"))
    made = messages_in(told.get("gen_ai.output.messages"))
    told = {name: value for name, value in told.items() if name.startswith(_PREFIXES)}
    return (
        given or _numbered(told, "llm.input_messages") or _numbered(told, "gen_ai.prompt"),
        made
        or _numbered(told, "llm.output_messages")
        or _numbered(told, "gen_ai.completion")
        or _of_ai_sdk(told),
    )


def _numbered(told: Mapping[str, Any], prefix: str) -> list[Message]:
    """`<prefix>.N.message.role` of OpenInference, `<prefix>.N.role` of Traceloop.

    Example:
        >>> _numbered({"m.0.message.role": "user", "m.0.message.content": "Hi"}, "m")
        [{'role': 'user', 'content': 'Hi'}]
    """
    found = []
    for held in numbered(told, prefix):
        message = {key.removeprefix("message."): value for key, value in held.items()}
        made = {"role": message.get("role") or "assistant", "content": _content(message)}
        made |= {key: message[key] for key in ("tool_call_id", "name") if key in message}
        if calls := [_call(call) for call in numbered(message, "tool_calls")]:
            made["tool_calls"] = calls
        found.append(made)
    return messages_in(found)


def _content(message: Message) -> Any:
    if isinstance(content := message.get("content"), str):
        read = parsed(content)
        return read if isinstance(read, list) and any("text" in p for p in dicts(read)) else content
    parts = numbered(message, "contents")
    texts = [first(part, "message_content.text", "text") for part in parts]
    pieces = (value for key, value in message.items() if re.fullmatch(r"content\.\d+", key))
    return "".join(text for text in (*texts, *pieces) if isinstance(text, str))


def _call(call: Mapping[str, Any]) -> Message:
    return {key: first(call, *names) for key, names in _CALL.items()}


def _of_ai_sdk(told: Mapping[str, Any]) -> list[Message]:
    calls = [*dicts(parsed(first(told, "ai.response.toolCalls", "ai.result.toolCalls")))]
    text = first(told, "ai.response.text", "ai.result.text")
    if text is None and not calls:
        return []
    return messages_in([{"role": "assistant", "content": text or "", "tool_calls": calls}])


def told_by_events(span: Span) -> dict[str, Any]:
    """The attributes of a span and of its events, with the messages that events say."""
    told: dict[str, Any] = {}
    given: list[Any] = []
    made: list[Any] = []
    for event in span.events:
        about = event["told"]
        if said := _SAID.fullmatch(event["name"]):
            message = parsed(about.get("message"))
            message = message if isinstance(message, dict) else about
            role = said[1] or "assistant"
            (given if said[1] else made).append({"role": role, **_spoken(message)})
        elif "input" in about and "output" in about:
            told |= _of_body(about)
        else:
            told |= {key: value for key, value in about.items() if key.startswith("gen_ai.")}
    if given:
        told.setdefault("gen_ai.input.messages", given)
    if made:
        told.setdefault("gen_ai.output.messages", made)
    return told | span.attributes


def _spoken(message: Mapping[str, Any]) -> Message:
    """What an event's message says; attributes cannot nest, so that its calls may be JSON."""
    calls = parsed(message.get("tool_calls"))
    id = first(message, "tool_call_id", "id")
    said = {"content": message.get("content"), "tool_call_id": id, "tool_calls": calls}
    return {key: value for key, value in said.items() if value is not None}


def _of_body(body: Mapping[str, Any]) -> dict[str, Any]:
    """AWS ADOT: the payloads are the contents of messages, and nothing else tells the kind."""
    given, made = (parsed(text_in(dig(body, f"{side}.messages.0.content"))) for side in _SIDES)
    told = {"input.value": given, "output.value": made}
    if not isinstance(made, dict):
        return told
    if made.get("type") == "tool":
        about = {"tool.name": made.get("name"), "tool.id": made.get("tool_call_id")}
        return told | about | {"openinference.span.kind": "TOOL"}
    kind = "LLM" if "generations" in made else "CHAIN"
    return told | {"openinference.span.kind": kind}


_SIDES: Final = ("input", "output")
