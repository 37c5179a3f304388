"""Layouts of the user's own: a mapping of paths in a file."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from batcheval.errors import BadMappingError
from batcheval.readers.grammar.chat import transcribe
from batcheval.readers.grammar.values import dicts
from batcheval.readers.layouts.layout import Layout, Place, Trace
from batcheval.schema import CANONICAL
from batcheval.schema.columns import CALL

Getter = Callable[[Any], Any]

_COLUMNS: Final = frozenset(CANONICAL) - {"source", "line"}
_CALL_FIELDS: Final = frozenset(CALL.to_schema()) | {"is_error"}


def mapped_layout(path: Path) -> Layout:
    """The layout that a mapping file describes.

    The file is TOML with a table `[mapping]`: canonical columns, each with a JMESPath expression
    that finds its value in a record. `tool_calls` is a table: `path` finds the calls, the other
    keys the fields of each. `messages` finds a list of chat messages, from which input, output and
    calls are taken where they are not mapped themselves. With `records`, a path in each record to a
    list of traces, all other paths start from these.

    Raises:
        BadMappingError: the file cannot be read, or says something that is no mapping.

    Source: JMESPath, https://jmespath.org/specification.html
    """
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadMappingError(str(path), str(reason).lower()) from error
    mapping = told.get("mapping")
    if not isinstance(mapping, Mapping) or not mapping:
        raise BadMappingError(str(path), "it has no table [mapping]")
    return _layout(str(path), dict(mapping))


def _layout(name: str, mapping: dict[str, Any]) -> Layout:
    records = _getter(name, "records", mapping.pop("records", "@"))
    calls = mapping.pop("tool_calls", None)
    columns = {key: _getter(name, key, told, _COLUMNS) for key, told in mapping.items()}
    if calls is not None:
        columns["tool_calls"] = _calls(name, calls)

    def read(record: Any, place: Place) -> Iterator[Trace]:
        found = records(record)
        for one in found if isinstance(found, list) else [found]:
            yield _trace({key: get(one) for key, get in columns.items()})

    return Layout(name, f"the mapping in {name}", lambda record: 10, read)


def _trace(values: dict[str, Any]) -> Trace:
    if "messages" not in values:
        return values
    said = transcribe(dicts(values.pop("messages")))
    return said.trace() | {key: value for key, value in values.items() if value is not None}


def _calls(name: str, told: Any) -> Getter:
    fields = {"path": told} if isinstance(told, str) else told
    if not isinstance(fields, Mapping) or "path" not in fields:
        raise BadMappingError(name, "'tool_calls' must be a path, or a table with a 'path'")
    path = _getter(name, "tool_calls.path", fields["path"])
    parts = {
        key: _getter(name, f"tool_calls.{key}", told, _CALL_FIELDS)
        for key, told in fields.items()
        if key != "path"
    }

    def get(record: Any) -> Any:
        found = path(record)
        calls = found if isinstance(found, list) else [] if found is None else [found]
        if not parts:
            return calls
        return [{key: part(call) for key, part in parts.items()} for call in calls]

    return get


def _getter(name: str, key: str, told: Any, known: frozenset[str] | None = None) -> Getter:
    import jmespath
    from jmespath.exceptions import JMESPathError

    last = key.rpartition(".")[2]
    if known is not None and last not in known:
        raise BadMappingError(name, f"'{key}' is no field", last, known)
    if not isinstance(told, str):
        raise BadMappingError(name, f"'{key}' must be a path, not {told!r:.60}")
    try:
        compiled = jmespath.compile(told)
    except (JMESPathError, RecursionError) as error:
        raise BadMappingError(name, f"'{key}': {' '.join(str(error).split())}") from error

    def get(record: Any) -> Any:
        try:
            return compiled.search(record)
        except JMESPathError as error:
            raise ValueError(f"'{key}': {' '.join(str(error).split())}") from error

    return get
