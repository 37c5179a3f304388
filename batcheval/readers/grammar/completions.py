"""What an OpenAI-like API sends back: the reply in a completion, and its usage."""

from typing import Any

from batcheval.readers.grammar.values import dicts, dig, first, has, parsed


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


def usage(spent: Any) -> dict[str, Any]:
    """The token columns that a `usage` object fills, under the names of either OpenAI API.

    Example:
        >>> usage({"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9})["input_tokens"]
        7
    """
    if not isinstance(spent, dict):
        return {}
    details = first(spent, "prompt_tokens_details", "input_tokens_details", "inputTokensDetails")
    details = next(iter(dicts(details)), {}) if isinstance(details, list) else details
    return {
        "input_tokens": first(spent, "prompt_tokens", "input_tokens", "inputTokens"),
        "output_tokens": first(spent, "completion_tokens", "output_tokens", "outputTokens"),
        "total_tokens": first(spent, "total_tokens", "totalTokens"),
        "cached_tokens": dig(details, "cached_tokens"),
    }


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
