"""Regular expressions over columns: two engines that mean the same by a pattern."""

from batcheval.checks.regexes.backtracking import is_backtracking
from batcheval.checks.regexes.search import is_linear, search

__all__ = ["is_backtracking", "is_linear", "search"]
