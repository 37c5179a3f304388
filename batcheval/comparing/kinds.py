"""What a file holds: scores, traces that are still to be scored, or regressions."""

import csv
import json
from collections.abc import Iterable, Mapping
from glob import has_magic
from typing import Any, Final

import polars as pl

from batcheval.comparing.runs import ENDINGS, split
from batcheval.schema import IDENTITY, METADATA_KEY
from batcheval.stores import (
    Place,
    beginning,
    children,
    is_address,
    is_file,
    is_folder,
    is_there,
    located,
    options_of,
)
from batcheval.summary.scans import readable, scan

_OF_TRACES: Final = ("input", "output", "messages", "tool_calls", "question", "response", "answer")
_SIDES: Final = ("base:output", "candidate:output")
_BOTH: Final = b"base:output"
_LONG: Final = {"scorer", "score"}


def are_scores(source: str) -> bool:
    """Whether a path, or `FILE@RUN`, names scores; else it names traces.

    Parquet that `batcheval score` wrote says so itself. Other tables are scores if their columns
    begin as a table of scores does, or if they have `trace_id`, numbers in 0..1 and nothing that
    only traces have. What is not there is taken for scores, unless it is a pattern or an address.

    Raises:
        UnreadableFileError: the file cannot be opened.

    Example:
        >>> are_scores("sample_traces/support_agent.jsonl"), are_scores("sample_traces/*.jsonl")
        (False, False)
    """
    path, _ = split(source)
    if is_folder(path):
        files = [file for file in children(path) if file.suffix.lower() in ENDINGS]
        return any(_is_file_of_scores(file) for file in files)
    if not is_file(path):
        return not (source == "-" or is_address(source) or is_there(path) or has_magic(source))
    return _is_file_of_scores(path)


def _is_file_of_scores(path: Place) -> bool:
    with readable(path):
        head = beginning(path, 1 << 16)
        if head.startswith(b"PAR1"):
            if METADATA_KEY in (
                known := pl.read_parquet_metadata(str(path), storage_options=options_of(path))
            ):
                return '"scorers"' in known[METADATA_KEY]
            rows = scan(path, True).head(1).collect().to_dicts()
            return _are_columns_of_scores(rows[0]) if rows else True
    first = head.decode(errors="replace").removeprefix("\ufeff").lstrip().partition("\n")[0]
    if path.suffix.lower() == ".csv":
        names = next(csv.reader([first]), [])
        return _are_columns_of_scores(dict.fromkeys(names))
    return path.suffix.lower() in ENDINGS and _are_columns_of_scores(_record(first))


def open_regressions(path: Place | str) -> pl.LazyFrame | None:
    """The rows that `write_regressions` wrote; None if the file holds anything else."""
    path = located(path)
    if not is_file(path):
        return None
    with readable(path):
        head = beginning(path, 1 << 16)
        is_parquet = head.startswith(b"PAR1")
        if not is_parquet and (path.suffix.lower() not in ENDINGS or _BOTH not in head):
            return None
        rows = scan(path, is_parquet)
        return rows if {"worse", *_SIDES} <= set(rows.collect_schema()) else None


def _record(line: str) -> Mapping[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def _are_columns_of_scores(first: Mapping[str, Any]) -> bool:
    """Told by the first row: its columns, and their values where the format has types."""
    if tuple(first)[: len(IDENTITY)] == IDENTITY:
        return "assistant_texts" not in first  # a canonical table begins alike
    if "trace_id" not in first or set(first) & set(_OF_TRACES):
        return False
    return set(first) >= _LONG or any(_is_score(first[name]) for name in _others(first))


def _others(first: Iterable[str]) -> list[str]:
    return [name for name in first if name not in IDENTITY]


def _is_score(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and 0 <= value <= 1)
