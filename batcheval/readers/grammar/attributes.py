"""The attributes of a span, made flat: dotted names to plain JSON values."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from batcheval.readers.grammar.values import dicts, first, parsed

_KINDS: Final = {
    **dict.fromkeys(("stringValue", "string_value", "bytesValue", "bytes_value"), "text"),
    **dict.fromkeys(("boolValue", "bool_value", "doubleValue", "double_value"), "number"),
    **dict.fromkeys(("intValue", "int_value"), "integer"),
    **dict.fromkeys(("arrayValue", "array_value"), "array"),
    **dict.fromkeys(("kvlistValue", "kvlist_value"), "pairs"),
}
_SPACES: Final = frozenset(
    {
        *("gen_ai", "llm", "input", "output", "tool", "openinference", "session", "user", "agent"),
        *("ai", "traceloop", "retrieval"),
    }
)
# A value under one of these is told as it is, even where it is an object.
_LEAVES: Final = frozenset({"value", "arguments", "args", "parameters", "result", "messages"})


def attributes_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record's attributes: an object, OTLP's pairs, JSON, or columns `attributes.*`.

    Example:
        >>> attributes_of({"attributes": {"llm": {"token_count": {"prompt": 3}}, "a.b": None}})
        {'llm.token_count.prompt': 3}
        >>> attributes_of({"attributes.tool.name": "bash", "name": "x"})
        {'tool.name': 'bash'}
    """
    own = parsed(first(record, "attributes", "SpanAttributes", "spanAttributes", "Attributes"))
    if isinstance(own, list):
        own = plain({"kvlistValue": {"values": own}})
    if not isinstance(own, dict):
        own = {}
    columns = {
        key.removeprefix("attributes."): value
        for key, value in record.items()
        if "." in key and key.startswith(("attributes.", "gen_ai.", "openinference.", "llm."))
    }
    return flat({**columns, **own})


def plain(value: Any) -> Any:
    """A value of OTLP-JSON as plain JSON; what is plain already is left as it is.

    Example:
        >>> plain({"arrayValue": {"values": [{"intValue": "5"}, {"stringValue": "a"}]}})
        [5, 'a']
    """
    whole = [value]
    todo: list[tuple[Any, Any]] = [(whole, 0)]
    while todo:
        box, place = todo.pop()
        made = box[place] = _opened(box[place])
        if isinstance(made, list):
            todo += ((made, n) for n in range(len(made)))
        elif isinstance(made, dict):
            todo += ((made, key) for key in made)
    return whole[0]


def _opened(value: Any) -> Any:
    """One layer off, as a copy where it holds more."""
    kind, held = _held(value)
    if kind == "integer" and isinstance(held, str) and held.lstrip("-").isdecimal():
        return int(held)
    if kind in ("array", "pairs"):
        items = held.get("values") if isinstance(held, dict) else held
        if kind == "array":
            return list(items) if isinstance(items, list) else []
        return {str(pair.get("key")): pair.get("value") for pair in dicts(items)}
    if kind:
        return held
    return dict(value) if isinstance(value, dict) else value


def _held(value: Any) -> tuple[str | None, Any]:
    if isinstance(value, dict) and len(value) == 1:
        [(key, held)] = value.items()
        return _KINDS.get(key), held
    return None, None


def flat(attributes: Mapping[str, Any], spaces: frozenset[str] | None = _SPACES) -> dict[str, Any]:
    """Nested objects as dotted names, nulls left out.

    Args:
        attributes: names or the first parts of names, to values or more parts.
        spaces: the first parts that may be opened; None opens all, and lists as well.
    """
    opens = [key for key in attributes if spaces is None or key in spaces]
    found: dict[str, Any] = {}
    for name, value in attributes.items():
        if isinstance(value, dict | list):
            _open(name, value, opens, spaces is None, found)
        elif value is not None:
            found[name] = value
    return found


def _open(name: str, value: Any, opens: list[str], lists: bool, found: dict[str, Any]) -> None:
    todo = [(name, value)]
    while todo:
        name, value = todo.pop()
        if inner := _parts(name, value, opens, lists):
            todo += reversed([(f"{name}.{part}", held) for part, held in inner])
        elif value is not None:
            found[name] = value


def _parts(name: str, value: Any, opens: list[str], lists: bool) -> list[tuple[Any, Any]]:
    if lists:
        return list(enumerate(value) if isinstance(value, list) else _items(value))
    nested = name.split(".", 1)[0] in opens and name.rpartition(".")[2] not in _LEAVES
    return list(_items(value)) if nested else []


def _items(value: Any) -> Iterable[tuple[Any, Any]]:
    return value.items() if isinstance(value, dict) else ()


def numbered(attributes: Mapping[str, Any], prefix: str) -> list[dict[str, Any]]:
    """The objects that lie under `prefix.0.…`, `prefix.1.…`, in the order of their numbers.

    They may also be a list under `prefix` itself, as tables have them.

    Example:
        >>> numbered({"m.10.role": "b", "m.9.role": "a", "n": 1}, "m")
        [{'role': 'a'}, {'role': 'b'}]
        >>> numbered({"m": [{"message.role": "a", "message": {"content": "x"}}]}, "m")
        [{'message.role': 'a', 'message.content': 'x'}]
    """
    listed = attributes.get(prefix)
    if listed is not None and isinstance(listed := parsed(listed), list):
        return [flat(item, None) for item in dicts(listed)]
    start = f"{prefix}."
    keys = [key for key in attributes if key.startswith(start)]
    if not keys:
        return []
    found: dict[int, dict[str, Any]] = {}
    for key in keys:
        number, _, rest = key[len(start) :].partition(".")
        if rest and number.isdecimal():
            found.setdefault(int(number), {})[rest] = attributes[key]
    return [found[number] for number in sorted(found)]
