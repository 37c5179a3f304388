"""Checks of tool calls against those that were expected."""

from batcheval.checks.expected_calls import order_checks, sequence_checks, set_checks, share_checks
from batcheval.checks.expected_calls.order_checks import *  # noqa: F403
from batcheval.checks.expected_calls.sequence_checks import *  # noqa: F403
from batcheval.checks.expected_calls.set_checks import *  # noqa: F403
from batcheval.checks.expected_calls.share_checks import *  # noqa: F403

__all__: list[str] = []
__all__ += order_checks.__all__
__all__ += sequence_checks.__all__
__all__ += set_checks.__all__
__all__ += share_checks.__all__
