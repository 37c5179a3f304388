"""Checks made of others. One rule for null: an unscored part is left out of its row."""

from batcheval.checks.combining import logic, modes
from batcheval.checks.combining.logic import *  # noqa: F403
from batcheval.checks.combining.modes import *  # noqa: F403

__all__ = [*logic.__all__]
__all__ += modes.__all__
