"""A path such as `metadata.city` or `tool_calls[0].name`, used as if it were a column."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import cast

import msgspec
import polars as pl

from batcheval.errors import BadPathError, MissingColumnsError
from batcheval.schema.json_text import text_of

_STEP = re.compile(r"""\.?([^.\[\]"']+)|\[(-?\d+)\]|\[(?:"([^"]*)"|'([^']*)')\]""")

Step = str | int


def steps(path: str) -> list[Step]:
    """The keys and list positions that a path names.

    Raises:
        BadPathError: the path cannot be read.

    Example:
        >>> steps('metadata.stops[0]["first name"]')
        ['metadata', 'stops', 0, 'first name']
    """
    found: list[Step] = []
    at = 0
    while at < len(path):
        match = _STEP.match(path, at)
        if match is None:
            raise BadPathError(path, at)
        key, index, *quoted = match.groups()
        found.append(int(index) if index else key or quoted[0] or quoted[1] or "")
        at = match.end()
    return found


def root(name: str, columns: Mapping[str, object]) -> str:
    """The column that `name`, a column or a path, is read from."""
    return name if name in columns else str((steps(name) or [name])[0])


def with_paths(traces: pl.LazyFrame, reads: Mapping[str, str]) -> pl.LazyFrame:
    """Add a column for every path among the names that somebody reads.

    Args:
        traces: any table.
        reads: column names and paths, each with who reads it, for the message.

    Raises:
        MissingColumnsError: the table has no such column, nor one that the path starts from.
    """
    schema = traces.collect_schema()
    added = [
        _follow(name, reader, schema).alias(name)
        for name, reader in reads.items()
        if name not in schema
    ]
    return traces.with_columns(added) if added else traces


def _follow(path: str, reader: str, schema: pl.Schema) -> pl.Expr:
    first, *rest = steps(path) or [path]
    if not rest or first not in schema:
        raise MissingColumnsError(reader, str(first), _shown(schema))
    expr, dtype = pl.col(str(first)), schema[str(first)]
    while rest and dtype.is_nested():
        step = rest.pop(0)
        if isinstance(dtype, pl.Struct) and step in (fields := dtype.to_schema()):
            expr, dtype = expr.struct.field(str(step)), cast(pl.DataType, fields[str(step)])
        elif isinstance(dtype, pl.List) and isinstance(step, int):
            expr, dtype = expr.list.get(step, null_on_oob=True), cast(pl.DataType, dtype.inner)
        else:
            raise MissingColumnsError(reader, path, _shown(schema))
    if not rest:
        return expr
    return expr.cast(pl.String).map_batches(
        partial(_dig_all, steps=rest), return_dtype=pl.String, is_elementwise=True
    )


def _shown(schema: pl.Schema) -> list[str]:
    """The columns that a message offers: those of our own that no dump has are left out."""
    return [name for name in schema if not name.startswith("\0")]


def _dig_all(texts: pl.Series, steps: list[Step]) -> pl.Series:
    dig = _digger(steps)
    return pl.Series(texts.name, [dig(text) if text else None for text in texts], dtype=pl.String)


def _digger(steps: list[Step]) -> Callable[[str], str | None]:
    """A function from JSON text to the text of what lies at the path, as written there."""
    in_object = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
    in_list = msgspec.json.Decoder(list[msgspec.Raw]).decode

    def dig(text: str) -> str | None:
        raw: bytes | str | msgspec.Raw = text
        try:
            for step in steps:
                raw = in_list(raw)[step] if isinstance(step, int) else in_object(raw)[step]
        except (msgspec.DecodeError, LookupError, RecursionError):
            return None
        return text_of(bytes(cast(msgspec.Raw, raw)))

    return dig
