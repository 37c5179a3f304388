"""What a step was given and what it gave, as chat messages, whichever framework wrote it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from batcheval.readers.grammar.message_shapes import as_messages, is_message
from batcheval.readers.grammar.values import as_text, dicts, dig, parsed, text_in

# Keys that hold the messages, in the order in which they are looked for.
_HOLDERS: Final = (
    *("messages", "choices", "generations", "candidates", "contents", "new_message", "message"),
    *("output.message", "content", "output", "input", "response", "result"),
)
_PLAIN: Final = (
    *("output", "answer", "response", "result", "text", "content", "final_output", "completion"),
    *("input", "question", "query", "prompt", "joke", "value", "raw", "final_result"),
)
_DEPTH: Final = 6


def messages_in(value: Any) -> list[dict[str, Any]]:
    """The chat messages in a payload, none where it holds no conversation.

    Args:
        value: messages of any framework, or a request, response or state that holds them; may be
            JSON in a string.

    Example:
        >>> messages_in('[{"role": "user", "parts": [{"type": "text", "content": "Hi"}]}]')
        [{'role': 'user', 'content': 'Hi'}]
        >>> messages_in({"choices": [{"message": {"role": "assistant", "content": "Hello"}}]})
        [{'role': 'assistant', 'content': 'Hello'}]
        >>> messages_in("Hi"), messages_in({"city": "Oslo"})
        ([], [])
    """
    memory = _memory.get()
    if memory is None or not isinstance(value, list | dict | str):
        return _messages_in(value)
    known = memory.get(id(value))
    if known is None:
        known = memory[id(value)] = value, _messages_in(value)
    return known[1]


_memory: Final[ContextVar[dict[int, tuple[Any, list[dict[str, Any]]]] | None]] = ContextVar(
    "payloads whose messages are known", default=None
)


@contextmanager
def remembering() -> Iterator[None]:
    """Look for the messages in a payload once, however often it is asked for them in here."""
    token = _memory.set({})
    try:
        yield
    finally:
        _memory.reset(token)


def _messages_in(value: Any) -> list[dict[str, Any]]:
    value = parsed(value)
    if not isinstance(value, list | dict):
        return []
    for _ in range(_DEPTH):
        if isinstance(value, list):
            while len(value) == 1 and isinstance(value[0], list):
                value = value[0]
            said = [m for part in dicts(value) for m in as_messages(_unboxed(part))]
            return said
        if is_message(value):
            return as_messages(value)
        value = _held(value)
        if value is None:
            return []
    return []


def _unboxed(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """A choice, a generation or a candidate: the message is inside."""
    inner = part.get("message") or part.get("delta")
    if not isinstance(inner, dict):
        held = part.get("content")
        has_parts = isinstance(held, dict) and isinstance(held.get("parts"), list)
        inner = held if has_parts else None
    if isinstance(inner, dict):
        return {"role": "assistant", **inner} if not is_message(inner) else inner
    spoken = isinstance(part.get("text"), str) and not is_message(part) and "type" not in part
    return {"role": "assistant", "content": part["text"]} if spoken else part


def _held(value: Any) -> Any:
    if not isinstance(value, dict):
        return None
    if isinstance(kwargs := value.get("kwargs"), dict) and "lc" in value:
        return kwargs
    if isinstance(prompt := value.get("prompt"), str):
        system = [{"role": "system", "content": value["system"]}] if value.get("system") else []
        return [*system, {"role": "user", "content": prompt}]
    for path in _HOLDERS:
        held = parsed(dig(value, path))
        if path == "generations" and isinstance(held, list) and held:
            held = held[0] if isinstance(held[0], list) else held
        if isinstance(held, dict | list) and held:
            parts, role = dig(held, "parts"), dig(held, "role") or "model"
            return {"role": role, "parts": parts} if isinstance(parts, list) else held
    return None


def text_of(value: Any, role: str) -> str:
    """What a payload says in the end: the last message of this role, or a value as a text.

    Example:
        >>> text_of('{"messages": [{"type": "human", "content": "Hi"}]}', "user")
        'Hi'
        >>> text_of({"output": "Done."}, "assistant"), text_of({"a": 1}, "assistant")
        ('Done.', '{"a":1}')
    """
    said = [text_in(m.get("content")) for m in messages_in(value) if m["role"] == role]
    if said:
        return said[-1]
    if isinstance(value, str) and value.lstrip().startswith('"'):
        value = parsed(value, 1)  # JSON in JSON: what is inside
    return as_text(next(_plain(value), value)) if value not in (None, {}, []) else ""


def _plain(value: Any) -> Iterator[str]:
    """The text that a payload is about, where it is an object around one, or one in quotes."""
    value = parsed(value)
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (value[key] for key in _PLAIN if isinstance(value.get(key), str))


def tool_message(value: Any) -> dict[str, Any] | None:
    """The result of a tool that was dumped as the message it became, None where it was not.

    Example:
        >>> tool_message('{"type": "tool", "content": "-5C", "tool_call_id": "t1", "name": "w"}')
        {'role': 'tool', 'content': '-5C', 'tool_call_id': 't1', 'name': 'w'}
    """
    value = parsed(value)
    if isinstance(value, dict) and isinstance(value.get("output"), dict):
        value = value["output"]
    said = as_messages(value) if is_message(value) else []
    return said[0] if len(said) == 1 and said[0].get("tool_call_id") is not None else None
