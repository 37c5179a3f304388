"""Definitions of tools, in any of the forms in which traces and files keep them."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from batcheval.checks.structured.documents import parse
from batcheval.checks.structured.schemas import BadSchemaError, compiled
from batcheval.errors import BadArgumentError

_SCHEMAS: Final = (
    *("parameters", "input_schema", "inputSchema", "parametersJsonSchema"),
    *("parameters_json_schema", "parametersSchema", "schema"),
)
_INNER: Final = ("function", "toolSpec", "tool_spec", "custom")
_LISTS: Final = ("functionDeclarations", "function_declarations", "tools", "functions")

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


class Definitions:
    """The tools that there are.

    Attributes:
        schemas: by name the JSON Schema of the arguments, None where there is none.
        is_open: some bring tools that they do not name, as a server or a set of tools does.
    """

    def __init__(self, value: object) -> None:
        """Read the definitions; a `ValueError` says that there are none."""
        self.schemas: dict[str, Any] = {}
        self.is_open = False
        for name, schema in _tools(value):
            self.is_open |= name is None
            if name is not None:
                self.schemas[name] = schema
        if not self.schemas and not self.is_open and value != []:
            raise ValueError("no tool is defined")

    @cached_property
    def validators(self) -> dict[str, Any]:
        """The schemas compiled; a tool whose schema is none has None, as if it gave none."""
        return {name: _validator(schema) for name, schema in self.schemas.items()}


def definitions_of(name: str, value: object) -> Definitions:
    """The definitions in a literal.

    Raises:
        BadArgumentError: `value`, the argument `name`, holds none, or a schema that is none.
    """
    try:
        found = Definitions(value)
    except ValueError as error:
        raise BadArgumentError(name, f"definitions of tools ({error})", value) from None
    for tool, schema in found.schemas.items():
        if schema is not None and _validator(schema) is None:
            raise BadArgumentError(name, f"definitions whose schemas are such ('{tool}')", schema)
    return found


def definitions_in(file: object) -> Definitions:
    """The definitions in a JSON file.

    Raises:
        BadArgumentError: there is no such file, or no definitions in it.
    """
    if not isinstance(file, str | Path):
        raise BadArgumentError("file", "the path of a JSON file", file)
    try:
        found = parse(Path(file).read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise BadArgumentError("file", f"a JSON file ({str(reason).lower()})", str(file)) from None
    if found.error is not None:
        raise BadArgumentError("file", f"a JSON file ({found.error})", str(file))
    try:
        return Definitions(found.value)
    except ValueError as error:
        raise BadArgumentError("file", f"a file of tools ({error})", str(file)) from None


def _tools(value: object) -> Iterator[tuple[str | None, Any]]:
    """The name and the schema of each tool; no name where a definition brings unnamed ones."""
    if isinstance(value, str):
        found = parse(value)
        yield from [(value, None)] if found.error is not None else _tools(found.value)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _tools(item)
    elif isinstance(value, Mapping):
        yield from _of_object(value)
    else:
        raise ValueError("neither a list nor a table")


def _of_object(value: Mapping[str, Any]) -> Iterator[tuple[str | None, Any]]:
    for key in _LISTS:
        if isinstance(value.get(key), list | tuple):
            yield from _tools(value[key])
            return
    for key in _INNER:
        if isinstance(value.get(key), Mapping):
            yield from _of_object(value[key])
            return
    if isinstance(value.get("name"), str):
        yield value["name"], _schema(value)
    elif isinstance(value.get("type"), str):
        yield value["type"], None
        yield None, None
    elif value and all(isinstance(inner, Mapping) for inner in value.values()):
        yield from ((key, _schema(inner)) for key, inner in value.items())
    else:
        raise ValueError("a tool without a name")


def _schema(tool: Mapping[str, Any]) -> Any:
    for key in _SCHEMAS:
        found = tool.get(key)
        if isinstance(found, Mapping):
            wrapped = found.get("json", found.get("jsonSchema"))
            return _in_words(wrapped if isinstance(wrapped, Mapping) else found)
    return None


def _in_words(schema: Any) -> Any:
    """A schema whose types have the names of JSON Schema, as `dict` and `STRING` have not."""
    if isinstance(schema, list | tuple):
        return [_in_words(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    told = {key: _in_words(inner) for key, inner in schema.items()}
    kind = told.get("type")
    if isinstance(kind, str) and kind not in _KNOWN:
        word = _TYPES.get(kind.lower(), kind.lower())
        told.pop("type")
        told |= {"type": word} if word in _KNOWN else {}
    return told


def _validator(schema: Any) -> Any:
    try:
        return None if schema is None else compiled(schema)
    except BadSchemaError:
        return None
