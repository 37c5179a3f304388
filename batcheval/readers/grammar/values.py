"""JSON values as the wild has them: texts in parts, JSON in strings, keys of many spellings."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

_TEXT_TYPES = ("text", "input_text", "output_text", "refusal")


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
    if isinstance(content, Mapping):
        content = [content]
    return "".join(map(_part, content)) if isinstance(content, list) else ""


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping) or part.get("type", "text") not in _TEXT_TYPES:
        return ""
    said = first(part, "text", "refusal")
    if isinstance(said, Mapping):  # {"text": {"value": "…"}}
        said = said.get("value")
    return said if isinstance(said, str) else ""


def parsed(value: Any, times: int = 3) -> Any:
    """A value, or the JSON that its text holds, however often it was encoded; else the text.

    Example:
        >>> parsed('{"a": 1}'), parsed('"[1]"'), parsed("{broken"), parsed(5)
        ({'a': 1}, [1], '{broken', 5)
    """
    while times and isinstance(value, str) and value.lstrip()[:1] in ("{", "[", '"'):
        try:
            value = msgspec.json.decode(value)
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
        return "" if value is None else msgspec.json.encode(value).decode()
    except OverflowError:  # an integer of more than 64 bits
        return json.dumps(value, ensure_ascii=False)


def first(record: Mapping[str, Any], *keys: str) -> Any:
    """The value of the first of `keys` that is there and not null.

    Example:
        >>> first({"a": None, "b": 0}, "a", "b", "c")
        0
    """
    return next((record[key] for key in keys if record.get(key) is not None), None)


def dig(value: Any, path: str) -> Any:
    """What lies under a path of keys and places, None where it breaks off.

    Example:
        >>> dig({"a": [{"b": 1}]}, "a.0.b"), dig({"a": 1}, "a.b")
        (1, None)
    """
    for step in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value


def dicts(value: Any) -> Iterable[Mapping[str, Any]]:
    """The objects in a list; nothing where there is no list."""
    return (item for item in value if isinstance(item, Mapping)) if isinstance(value, list) else ()


def once(values: Iterable[Any], id_path: str, kind_path: str) -> list[Any]:
    """Pieces of which those of one id and kind are one: the last, at the place of the first.

    An export that was made twice, or went on, has the same pieces again. A piece without an id is
    never another; one of another kind is not either, since some writers use their ids freely.

    Example:
        >>> told = [{"id": 1, "n": "a"}, {"n": "b"}, {"id": 1, "n": "c"}, {"n": "b"}]
        >>> [value["n"] for value in once(told, "id", "role")]
        ['c', 'b', 'b']
    """
    kept: dict[Any, Any] = {}
    for place, value in enumerate(values):
        id = dig(value, id_path)
        is_known = isinstance(id, str | int) and id not in ("", -1)
        kept[as_text([id, dig(value, kind_path)]) if is_known else place] = value
    return [*kept.values()]


def unrepeated(values: list[Any], start: int | None) -> list[Any]:
    """Pieces without ids of their own, which may be the same ones several times over.

    Args:
        values: in their order.
        start: the place of a piece that can be there once only, such as one that tells a time.

    Example:
        >>> unrepeated(["at 5:01", "a", "a", "at 5:01", "a", "a"], 0)
        ['at 5:01', 'a', 'a']
    """
    if start is None or values[start] not in values[start + 1 :]:
        return values
    length = values.index(values[start], start + 1) - start
    return values[:length] if values[length:] == values[:-length] else values


def has(record: Any, *keys: str) -> bool:
    """Whether a record is an object with all these keys."""
    return isinstance(record, Mapping) and all(key in record for key in keys)


def picked(record: Mapping[str, Any], *keys: str) -> dict[str, Any] | None:
    """Those of `keys` that are there and not null; None where there is none.

    Example:
        >>> picked({"a": 1, "b": None, "c": 2}, "a", "b"), picked({}, "a")
        ({'a': 1}, None)
    """
    found = {key: record[key] for key in keys if record.get(key) is not None}
    return found or None
