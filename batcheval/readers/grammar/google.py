"""Contents of Google's models: texts, function calls and responses, in both spellings."""

from collections.abc import Mapping
from typing import Any

from batcheval.readers.grammar.transcript import Transcript
from batcheval.readers.grammar.values import dicts, dig, first


def said_in(content: Any) -> str:
    """The text of a content, without the model's thoughts.

    Example:
        >>> said_in({"role": "model", "parts": [{"text": "Hm", "thought": True}, {"text": "Yes."}]})
        'Yes.'
    """
    parts = dicts(dig(content, "parts"))
    texts = [part.get("text") for part in parts if part.get("thought") is not True]
    return "".join(text for text in texts if isinstance(text, str))


def calls_in(content: Any) -> list[Mapping[str, Any]]:
    """The function calls of a content: objects with a name, args and perhaps an id."""
    found = (first(part, "function_call", "functionCall") for part in dicts(dig(content, "parts")))
    return [call for call in found if isinstance(call, dict)]


def take_responses(content: Any, log: Transcript, **more: Any) -> bool:
    """Take down the function responses of a content; returned is whether there are any."""
    parts = dicts(dig(content, "parts"))
    found = [first(part, "function_response", "functionResponse") for part in parts]
    responses = [response for response in found if isinstance(response, dict)]
    for response in responses:
        log.answer(response.get("response"), response.get("id"), response.get("name"), **more)
    return bool(responses)
