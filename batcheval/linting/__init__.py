"""What is wrong or odd in a suite, and what its scorers cost, before or beside a run."""

from batcheval.linting.finding import SEVERITIES, Finding, Severity
from batcheval.linting.suites import Lint, lint

__all__ = ["SEVERITIES", "Finding", "Lint", "Severity", "lint"]
