"""Repeated trials of tasks: how often an agent succeeds, and whether it does so every time."""

from batcheval.trials.measure import reliability
from batcheval.trials.result import Reliability

__all__ = ["Reliability", "reliability"]
