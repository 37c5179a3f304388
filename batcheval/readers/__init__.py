"""Dumps of traces, as people have them, into one canonical table."""

from batcheval.readers.layouts import layouts
from batcheval.readers.layouts.layout import Layout, Piece, Place, Trace
from batcheval.readers.log import BadLine, ReadLog
from batcheval.readers.rules import Rules
from batcheval.readers.scan import read_traces

__all__ = [
    "BadLine",
    "Layout",
    "Piece",
    "Place",
    "ReadLog",
    "Rules",
    "Trace",
    "layouts",
    "read_traces",
]
