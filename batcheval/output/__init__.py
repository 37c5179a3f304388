"""Scores on their way to a file that is whole or not there: its formats, the long form."""

from batcheval.output.groups import Groups
from batcheval.output.long_form import to_long
from batcheval.output.quarantine import Quarantine, quarantine_path
from batcheval.output.writer import GROUP_ROWS, Writer, writer_for

__all__ = [
    "GROUP_ROWS",
    "Groups",
    "Quarantine",
    "Writer",
    "quarantine_path",
    "to_long",
    "writer_for",
]
