"""The conversation that steps had, when each was given again what was said before."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from batcheval.readers.grammar.payloads import messages_in
from batcheval.readers.grammar.steps import Step
from batcheval.readers.grammar.values import parsed, text_in


def conversation(steps: Iterable[Step]) -> list[dict[str, Any]]:
    """The messages of steps that each were given what was said before: none is told twice."""
    said: list[dict[str, Any]] = []
    told: Counter[Any] = Counter()
    known: set[str] = set()
    for step in steps:
        given = spoken(step.get("input"), "user")
        here: Counter[Any] = Counter()
        for place, message in enumerate(given + spoken(step.get("output"), "assistant")):
            mark = _mark(message)
            here[mark] += 1
            ids = {str(call["id"]) for call in message.get("tool_calls", []) if call["id"]}
            if here[mark] > told[mark] or (place >= len(given) and not ids <= known):
                told[mark] += 1
                said.append(message)
                known |= ids
    return said


def spoken(payload: Any, role: str) -> list[dict[str, Any]]:
    """The messages of a payload; a plain text is one of this role."""
    said = messages_in(payload)
    text = None if said else parsed(payload)
    return [{"role": role, "content": text}] if isinstance(text, str) and text else said


def _mark(message: dict[str, Any]) -> tuple[Any, ...]:
    """What tells messages apart. Ids do not: some writers leave them out on repeating."""
    names = (str(call.get("name")) for call in message.get("tool_calls", []))
    content = message.get("content")
    text = text_in(content) if isinstance(content, str | list) else str(content or "")
    return message["role"], text, *names
