"""Columns and paths that there are not."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Final

import msgspec
import polars as pl

from batcheval.errors import BadPathError, MissingColumnsError, nearest, quoted
from batcheval.linting.finding import Finding
from batcheval.schema import CANONICAL, root, with_paths
from batcheval.schema.columns import JSON_TEXT

_NEAR: Final = 0.75  # of 1: how alike a name must be to one of ours to pass for a misspelling
_ROWS: Final = 200  # of which the keys of an object are gathered

Readers = Mapping[str, Sequence[str]]


def unknown(readers: Readers) -> Iterator[Finding]:
    """Columns that are not ours, where there are no traces to ask.

    Args:
        readers: who reads a column or path, by its name.
    """
    for name, by in readers.items():
        try:
            first = root(name, CANONICAL)
        except BadPathError as error:
            yield Finding("error", _and(by), str(error))
            continue
        if first in CANONICAL:
            continue
        near = get_close_matches(first, CANONICAL, 1, _NEAR)
        told = f"reads '{first}', which is no column of ours; "
        if near:
            yield Finding("warning", _and(by), f"{told}did you mean '{near[0]}'?")
        else:
            yield Finding("note", _and(by), f"{told}the traces must bring it")


def missing(readers: Readers, traces: pl.DataFrame) -> dict[str, Finding]:
    """Columns and paths that the traces lack, by name."""
    found = {}
    for name, by in readers.items():
        try:
            with_paths(traces.lazy(), {name: ""})
        except (MissingColumnsError, BadPathError) as error:
            found[name] = Finding("error", _and(by), str(error).strip())
    return found


def empty(readers: Readers, traces: pl.DataFrame) -> dict[str, Finding]:
    """Columns and paths that are null on all the traces, by name, with what there is instead.

    Args:
        readers: as in `unknown`; all of them are there.
        traces: at least one.
    """
    values = with_paths(traces.lazy(), dict.fromkeys(readers, "")).select(pl.col(list(readers)))
    return {
        column.name: Finding(
            "warning",
            _and(readers[column.name]),
            f"reads '{column.name}', which every trace lacks{_instead(column.name, traces)}",
        )
        for column in values.collect()
        if column.null_count() == len(column)
    }


def _instead(name: str, traces: pl.DataFrame) -> str:
    first = root(name, traces.schema)
    key = name.removeprefix(f"{first}.")
    if name == first or first not in JSON_TEXT or "." in key or "[" in key:
        return ""
    keys = _keys(traces[first].drop_nulls().head(_ROWS))
    return nearest(key, keys) or (f"; '{first}' has {quoted(keys)}" if keys else "")


def _keys(texts: pl.Series) -> list[str]:
    found: dict[str, None] = {}
    for text in texts.unique(maintain_order=True).to_list():
        try:
            found |= dict.fromkeys(msgspec.json.decode(text, type=dict[str, msgspec.Raw]))
        except msgspec.DecodeError:
            continue
    return list(found)


def _and(names: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(names))
