"""What rows may be paired, cut and grouped by: columns, paths, the tools called, lengths."""

import re
from collections.abc import Mapping
from typing import Final

import polars as pl

from batcheval.errors import BadArgumentError, MissingColumnsError
from batcheval.schema import TOOL_CALLS, with_paths

TOOL: Final = "tool"  # the names of the tools that a run called, each once

_LENGTH: Final = re.compile(r"length\((.+)\)")
_SHORT: Final = 80  # characters of a text that is kept as it is


def read_by(name: str) -> str:
    """The column or path that a name is told from.

    Example:
        >>> read_by("length(output)"), read_by("tool"), read_by("metadata.city")
        ('output', 'tool_calls', 'metadata.city')
    """
    length = _LENGTH.fullmatch(name)
    return length[1] if length else "tool_calls" if name == TOOL else name


def with_evidence(table: pl.LazyFrame, reads: Mapping[str, str]) -> pl.LazyFrame:
    """Add a column for each name that the table lacks.

    Args:
        table: traces, or scores with columns kept of them.
        reads: columns; paths such as `metadata.city`; `tool`, the names of the tools called, each
            once; `length(COLUMN)`, the characters of a text or the entries of a list. Each with
            who reads it, for the message.

    Raises:
        MissingColumnsError: what a name is told from is not there.
        BadArgumentError: the length of what has none.

    Example:
        >>> table = pl.LazyFrame({"output": ["No.", None]})
        >>> with_evidence(table, {"length(output)": "by"}).collect()["length(output)"].to_list()
        [3, None]
    """
    have = table.collect_schema()
    missing = {name: reader for name, reader in reads.items() if name not in have}
    table = with_paths(table, {read_by(name): reader for name, reader in missing.items()})
    schema = table.collect_schema()
    made = [_made(name, schema).alias(name) for name in missing if name != read_by(name)]
    return table.with_columns(made) if made else table


def _made(name: str, schema: pl.Schema) -> pl.Expr:
    source = read_by(name)
    column, dtype = pl.col(source), schema[source]
    if name == TOOL:
        names = TOOL_CALLS.list.eval(pl.element().struct.field("name").drop_nulls())
        return names.list.unique(maintain_order=True)
    if isinstance(dtype, pl.List):
        return column.list.len()
    if dtype == pl.String:
        return column.str.len_chars()
    raise BadArgumentError("by", "the length of a text or list", name)


def holds(table: pl.LazyFrame, name: str) -> bool:
    """Whether a table has a column, or what one can be told from."""
    try:
        with_evidence(table, {name: "key"})
    except MissingColumnsError:
        return False
    return True


def shortened(text: pl.Expr) -> pl.Expr:
    """A text by which rows pair, null if it is empty; a long one is its beginning and a hash.

    So the inputs of a million traces are held in a fraction of their size. The hash has 64 bits.
    """
    number = text.hash(seed=0).cast(pl.String)
    short = pl.format("{}… #{}", text.str.head(50), number)
    return pl.when(text.str.len_chars() <= _SHORT).then(text).otherwise(short).replace("", None)
