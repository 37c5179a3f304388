"""Turns of fine-tuning sets: `from` and `value`, and roles of their own for calls and results."""

from collections.abc import Iterable
from typing import Any, Final

from batcheval.readers.grammar.chat import SPEAKERS, openai_call, take_message
from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.values import as_text, dicts, first, parsed

CALLERS: Final = frozenset(("function_call", "tool_call", "tool_calls"))
_ROLES: Final = {
    **dict.fromkeys(("observation", "tool_response", "function_response", "function"), "tool"),
    **dict.fromkeys(("gpt", "chatgpt", "bot", "model", "bing", "bard"), "assistant"),
    "human": "user",
}


def take_turns(turns: Iterable[Any], log: Transcript | None = None) -> Transcript:
    """Take down turns that are spelled either way, OpenAI's messages among them.

    Args:
        turns: objects with `from` and `value`, or with `role` and `content`; anything else is
            passed over.
        log: the transcript to go on with.

    Example:
        >>> log = take_turns([
        ...     {"from": "human", "value": "Weather?"},
        ...     {"from": "function_call", "value": '{"name": "weather", "arguments": {}}'},
        ...     {"from": "observation", "value": "sunny"},
        ...     {"from": "gpt", "value": "Sunny."},
        ... ])
        >>> log.output, log.calls[0]["name"], log.calls[0]["result"]
        ('Sunny.', 'weather', 'sunny')
    """
    log = Transcript() if log is None else log
    for turn in turns:
        if not isinstance(turn, dict):
            continue
        role = turn.get("role")
        if type(role) is str and role in SPEAKERS:  # as most are
            take_message(turn, log)
            continue
        role = str(first(turn, "role", "from") or "")
        if role in CALLERS:
            _take_calls(first(turn, "content", "value"), log)
        elif "role" in turn and role not in _ROLES:
            take_message(turn, log)
        else:
            content = first(turn, "content", "value")
            said = content if isinstance(content, str | list) else as_text(content)
            take_message({**turn, "role": _ROLES.get(role, role), "content": said}, log)
    return log


def _take_calls(content: Any, log: Transcript) -> None:
    """A turn that is calls: an object or a list of them, in JSON; else a call without a name."""
    log.say("assistant", "")
    value = parsed(content)
    calls = list(dicts(value if isinstance(value, list) else [value]))
    if not calls:
        log.call(None, content)
    for call in calls:
        openai_call({**call, "args": first(call, "arguments", "args", "parameters")}, log)
