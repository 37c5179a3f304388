"""Scores and traces on their way into a file, and all that is learnt as they pass."""

from batcheval.writing.convert import Converted, write_traces
from batcheval.writing.counts import counts_of
from batcheval.writing.write import Written, write_scores

__all__ = ["Converted", "Written", "counts_of", "write_scores", "write_traces"]
