"""A suite suggested from a dump: what holds in nearly all good runs, with the evidence for it."""

from batcheval.suggesting.chosen import tells
from batcheval.suggesting.result import Suggestion, Suggestions
from batcheval.suggesting.suggest import suggest
from batcheval.suggesting.suite_text import suite_text

__all__ = ["Suggestion", "Suggestions", "suggest", "suite_text", "tells"]
