"""Repeated ids: traces that share `trace_id`, `run` and `trial`, found in bounded memory."""

from batcheval.repeats.finder import RepeatedIds
from batcheval.repeats.found import Repeats

__all__ = ["RepeatedIds", "Repeats"]
