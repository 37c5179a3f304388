"""What a run used up, tokens, money and time, against limits and budgets."""

from batcheval.checks.budgets import amount_checks, time_checks
from batcheval.checks.budgets.amount_checks import *  # noqa: F403
from batcheval.checks.budgets.time_checks import *  # noqa: F403

__all__ = [*amount_checks.__all__]
__all__ += time_checks.__all__
