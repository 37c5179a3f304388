"""Definitions of tools, in any of the forms in which traces and files keep them."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from batcheval.checks.called.type_words import in_words
from batcheval.checks.structured.documents import parse
from batcheval.checks.structured.schemas import BadSchemaError, compiled
from batcheval.errors import BadArgumentError

_SCHEMAS: Final = (
    *("parameters", "input_schema", "inputSchema", "parametersJsonSchema"),
    *("parameters_json_schema", "parametersSchema", "schema"),
)
_INNER: Final = ("function", "toolSpec", "tool_spec", "custom")
_LISTS: Final = ("functionDeclarations", "function_declarations", "tools", "functions")


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
        """The schemas compiled; a text says why one is none."""
        return {name: _validator(schema) for name, schema in self.schemas.items()}

    def checked(self, name: str) -> "Definitions":
        """The same, if all schemas are such.

        Raises:
            BadArgumentError: one of those in the argument `name` is none.
        """
        for tool, schema in self.schemas.items():
            if isinstance(why := self.validators[tool], str):
                wanted = f"definitions whose schemas are such ('{tool}': {why:.60})"
                raise BadArgumentError(name, wanted, schema)
        return self


def definitions_of(name: str, value: object) -> Definitions:
    """The definitions in a literal.

    Raises:
        BadArgumentError: `value`, the argument `name`, holds none, or a schema that is none.
    """
    try:
        return Definitions(value).checked(name)
    except ValueError as error:
        raise BadArgumentError(name, f"definitions of tools ({error})", value) from None


def definitions_in(file: object) -> Definitions:
    """The definitions in a JSON file.

    Raises:
        BadArgumentError: there is no such file, no definitions in it, or a schema that is none.
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
        return Definitions(found.value).checked("file")
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
            return in_words(wrapped if isinstance(wrapped, Mapping) else found)
    return None


def _validator(schema: Any) -> Any:
    try:
        return None if schema is None else compiled(schema)
    except BadSchemaError as error:
        return str(error)
