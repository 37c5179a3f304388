"""Checks of tool calls: their arguments and results, how they went, their order and time."""

from batcheval.checks.called import (
    argument_checks,
    definition_checks,
    failure_checks,
    name_checks,
    order_checks,
    time_checks,
)
from batcheval.checks.called.argument_checks import *  # noqa: F403
from batcheval.checks.called.definition_checks import *  # noqa: F403
from batcheval.checks.called.failure_checks import *  # noqa: F403
from batcheval.checks.called.name_checks import *  # noqa: F403
from batcheval.checks.called.order_checks import *  # noqa: F403
from batcheval.checks.called.time_checks import *  # noqa: F403

__all__: list[str] = []
__all__ += argument_checks.__all__
__all__ += definition_checks.__all__
__all__ += failure_checks.__all__
__all__ += name_checks.__all__
__all__ += order_checks.__all__
__all__ += time_checks.__all__
