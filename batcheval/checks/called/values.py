"""Arguments and results of calls as values."""

import json
from typing import Final

from batcheval.checks.structured.documents import Parsed, parse

NO_ARGUMENTS: Final = Parsed({})


def arguments(text: str | None) -> Parsed:
    """The arguments of a call: those that are not there are an empty object.

    Example:
        >>> arguments(None), arguments('{"q": 1}').value, arguments('{"q": ').error is None
        (Parsed(value={}, error=None), {'q': 1}, False)
    """
    return NO_ARGUMENTS if text is None or not text.strip() else parse(text)


def result(text: str | None) -> Parsed:
    """The result of a call: what is no JSON is a text, as tables keep strings without quotes.

    Example:
        >>> result('{"ok": true}').value, result("sunny").value, result(None).error
        ({'ok': True}, 'sunny', 'there is no result')
    """
    if text is None:
        return Parsed(None, "there is no result")
    found = parse(text)
    return Parsed(text) if found.error is not None else found


def same_arguments(text: str | None) -> str:
    """Texts that are equal for equal arguments, whatever their spelling; broken ones are a text.

    Example:
        >>> same_arguments('{"b": 1.0, "a": 2}') == same_arguments('{"a": 2, "b": 1}')
        True
    """
    found = arguments(text)
    if found.error is not None:
        return f"?{text}"
    return json.dumps(_plain(found.value), sort_keys=True)


def _plain(value: object) -> object:
    """A value in which numbers that are equal are the same."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    is_whole = isinstance(value, float) and value.is_integer()
    return int(value) if is_whole else value  # type: ignore[call-overload]
