"""Checks of what a run said, beside those of `text`: a module per kind of question."""

from batcheval.checks.texts import edges, several
from batcheval.checks.texts.edges import *  # noqa: F403
from batcheval.checks.texts.several import *  # noqa: F403

__all__ = edges.__all__ + several.__all__
