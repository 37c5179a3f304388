"""What an OpenAI-like API sends back: the reply in a completion."""

from typing import Any

from batcheval.readers.grammar.values import dicts, first, has, parsed


def replies(response: Any) -> list[Any]:
    """The messages in a response: a completion's first choice, a message, several, or a text.

    Example:
        >>> replies({"choices": [{"message": {"role": "assistant", "content": "Hi"}}]})
        [{'role': 'assistant', 'content': 'Hi'}]
        >>> replies("Hi")
        [{'role': 'assistant', 'content': 'Hi'}]
    """
    response = parsed(response)
    if isinstance(response, list):
        return response
    if isinstance(response, dict) and "choices" in response:
        choice = next(iter(dicts(response["choices"])), {})
        response = first(choice, "message", "text")
    if isinstance(response, dict):
        return [{"role": "assistant", **response}]
    return [{"role": "assistant", "content": response}] if isinstance(response, str) else []


def is_completion(value: Any) -> bool:
    """Whether a value is a completion, chat or not."""
    return has(value, "choices") and any(
        has(choice, "message") or has(choice, "text") for choice in dicts(value["choices"])
    )


def seconds(value: Any) -> float | None:
    """A duration in seconds as milliseconds.

    Example:
        >>> seconds(1.5), seconds("soon")
        (1500.0, None)
    """
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) * 1000 if is_number else None


def expected_calls(value: Any) -> list[dict[str, Any]] | None:
    """The calls that a run should make, however its actions are spelled; None if these are none.

    Example:
        >>> expected_calls('[{"name": "book", "kwargs": {"id": 7}}]')
        [{'name': 'book', 'args': {'id': 7}}]
    """
    calls = parsed(value)
    if not isinstance(calls, list) or not all(has(call, "name") for call in calls):
        return None
    return [
        {"name": call["name"], "args": first(call, "args", "kwargs", "arguments")} for call in calls
    ]
