"""JSON values as the wild has them: texts in parts, JSON in strings, keys of many spellings."""

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

_TEXT_TYPES = ("text", "input_text", "output_text", "refusal")
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode
_OPENING = frozenset('{["')


def text_in(content: Any) -> str:
    """What a content says: a text, or the text parts of a list, one after the other.

    Example:
        >>> text_in([{"type": "text", "text": "It is "}, {"type": "image_url"}, {"text": "sunny"}])
        'It is sunny'
        >>> text_in(None), text_in("Hi"), text_in(["a", "b"])
        ('', 'Hi', 'ab')
    """
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content]
    return "".join(map(_part, content)) if isinstance(content, list) else ""


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict) or part.get("type", "text") not in _TEXT_TYPES:
        return ""
    said = first(part, "text", "refusal")
    if isinstance(said, dict):  # {"text": {"value": "…"}}
        said = said.get("value")
    return said if isinstance(said, str) else ""


def parsed(value: Any, times: int = 3) -> Any:
    """A value, or the JSON that its text holds, however often it was encoded; else the text.

    Example:
        >>> parsed('{"a": 1}'), parsed('"[1]"'), parsed("{broken"), parsed(5)
        ({'a': 1}, [1], '{broken', 5)
    """
    while times and type(value) is str and value.lstrip()[:1] in _OPENING:
        try:
            value = _decode(value)
        except (msgspec.DecodeError, RecursionError):
            break
        times -= 1
    return value


def as_text(value: Any) -> str:
    """A text as it is, null as nothing, any other value as its JSON.

    Example:
        >>> as_text("a"), as_text(None), as_text({"a": [1]})
        ('a', '', '{"a":[1]}')
    """
    if isinstance(value, str):
        return value
    try:
        return "" if value is None else _encode(value).decode()
    except OverflowError:  # an integer of more than 64 bits
        return json.dumps(value, ensure_ascii=False)


def first(record: Mapping[str, Any], *keys: str) -> Any:
    """The value of the first of `keys` that is there and not null.

    Example:
        >>> first({"a": None, "b": 0}, "a", "b", "c")
        0
    """
    for key in keys:
        value = record.get(key)
        if value is not None:
            return value
    return None


def dig(value: Any, path: str) -> Any:
    """What lies under a path of keys and places, None where it breaks off.

    Example:
        >>> dig({"a": [{"b": 1}]}, "a.0.b"), dig({"a": 1}, "a.b")
        (1, None)
    """
    for step in _steps(path):
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value


@lru_cache(1_000)
def _steps(path: str) -> list[str]:
    return path.split(".")


def dicts(value: Any) -> Iterable[Mapping[str, Any]]:
    """The objects in a list; nothing where there is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else ()


def has(record: Any, *keys: str) -> bool:
    """Whether a record is an object with all these keys."""
    if not isinstance(record, dict):
        return False
    return keys[0] in record if len(keys) == 1 else record.keys() >= {*keys}


def picked(record: Mapping[str, Any], *keys: str) -> dict[str, Any] | None:
    """Those of `keys` that are there and not null; None where there is none.

    Example:
        >>> picked({"a": 1, "b": None, "c": 2}, "a", "b"), picked({}, "a")
        ({'a': 1}, None)
    """
    found = {key: record[key] for key in keys if record.get(key) is not None}
    return found or None
