"""Dumps of traces, as people have them, into one canonical table."""

from batcheval.readers.log import BadLine, ReadLog
from batcheval.readers.scan import read_traces

__all__ = ["BadLine", "ReadLog", "read_traces"]
