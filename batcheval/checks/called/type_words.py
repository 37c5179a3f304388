"""The types of JSON Schema by other names than its own."""

from collections.abc import Mapping
from typing import Any, Final

# How others call the types of JSON Schema.
_TYPES: Final = {
    **dict.fromkeys(("dict", "map", "struct"), "object"),
    **dict.fromkeys(("list", "tuple", "set"), "array"),
    **dict.fromkeys(("str", "text"), "string"),
    **dict.fromkeys(("float", "double"), "number"),
    **dict.fromkeys(("int", "long"), "integer"),
    "bool": "boolean",
    "none": "null",
}
_KNOWN: Final = ("object", "array", "string", "number", "integer", "boolean", "null")


def in_words(schema: Any) -> Any:
    """A schema whose types have the names of JSON Schema, as `dict` and `STRING` have not."""
    if isinstance(schema, list | tuple):
        return [in_words(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    told = {key: in_words(inner) for key, inner in schema.items()}
    kind = told.get("type")
    if isinstance(kind, str) and kind not in _KNOWN:
        word = _TYPES.get(kind.lower(), kind.lower())
        told.pop("type")
        told |= {"type": word} if word in _KNOWN else {}
    return told
