"""Scores, from a table or a file, brought down to one row a scorer."""

from batcheval.summary.files import FORMAT_VERSION, MANIFEST, ScoresFile, open_scores
from batcheval.summary.shares import from_tally, summarize
from batcheval.summary.slices import summarize_by
from batcheval.summary.tallies import BANDS, merge, tally, tally_long

__all__ = [
    "BANDS",
    "FORMAT_VERSION",
    "MANIFEST",
    "ScoresFile",
    "from_tally",
    "merge",
    "open_scores",
    "summarize",
    "summarize_by",
    "tally",
    "tally_long",
]
