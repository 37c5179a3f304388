"""What a finished part tells of itself, in the metadata of its Parquet file."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl

from batcheval.readers import BadLine, ReadLog
from batcheval.schema import METADATA_KEY

Record = dict[str, Any]
_COUNTS: Final = ("lines", "blank", "repaired", "quarantined", "rows", "records", "idle")
_MORE: Final = ("nameless", "unpaired")


def told(log: ReadLog, asked: Iterable[str]) -> Record:
    """What a log has counted, as JSON."""
    first = log.first_bad
    return {
        **{name: getattr(log, name) for name in (*_COUNTS, *_MORE)},
        "lost_columns": sorted(log.lost_columns),
        "found": sorted(set(asked) - log.unseen),
        "said": {digest.hex(): source for digest, source in log.said.items()},
        "copies": log.copies,
        "tools": None if log.tools is None else sorted(log.tools),
        "first_bad": first and [first.source, first.line, first.offset, first.reason],
    }


def add(log: ReadLog, part: Record) -> None:
    """Add what the log of a part has told to that of the whole.

    Raises:
        TooManyBadLinesError: there are more than allowed.
    """
    one = ReadLog(**{name: part[name] for name in (*_COUNTS, *_MORE)})
    one.said = {bytes.fromhex(digest): source for digest, source in part["said"].items()}
    one.copies, one.seen = part["copies"], set(part["found"])
    log.add(one, ())
    log.lost_columns |= set(part["lost_columns"])
    if part["tools"] is not None:
        log.tools = (log.tools or set()) | set(part["tools"])
    if part["first_bad"]:
        source, line, offset, reason = part["first_bad"]
        log.first_bad = log.first_bad or BadLine(source, line, offset, reason, b"")
    log.quarantined += part["quarantined"]
    log.bear(f"the first is {log.first_bad.source}:{log.first_bad.line}" if log.first_bad else "")


def record_at(path: Path) -> Record | None:
    """The record in a file; None if there is no such file, or it is none of a whole part."""
    try:
        metadata: Mapping[str, Any] = json.loads(pl.read_parquet_metadata(path)[METADATA_KEY])
    except (OSError, KeyError, ValueError, pl.exceptions.PolarsError):
        return None
    return dict(metadata) if "part" in metadata else None
