"""Scores on their way from a lazy table to a file, and all that is learnt as they pass."""

from batcheval.writing.counts import counts_of
from batcheval.writing.write import Written, write_scores

__all__ = ["Written", "counts_of", "write_scores"]
