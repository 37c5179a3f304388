"""The canonical table: its columns, their types, and how any frame is brought to that form."""

from batcheval.schema.canonical import Frame, canonical
from batcheval.schema.columns import (
    CANONICAL,
    EXPECTED,
    IDENTITY,
    INPUT,
    METADATA_KEY,
    OUTPUT,
    TOOL_CALLS,
    TRACE_ID,
)
from batcheval.schema.paths import root, with_paths

__all__ = [
    "CANONICAL",
    "EXPECTED",
    "IDENTITY",
    "INPUT",
    "METADATA_KEY",
    "OUTPUT",
    "TOOL_CALLS",
    "TRACE_ID",
    "Frame",
    "canonical",
    "root",
    "with_paths",
]
