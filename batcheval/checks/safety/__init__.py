"""Checks of whether a run was safe: what its calls were given, where they led, what they wrote."""

from batcheval.checks.safety import (
    argument_checks,
    command_checks,
    domain_checks,
    injection_checks,
    write_checks,
)
from batcheval.checks.safety.argument_checks import *  # noqa: F403
from batcheval.checks.safety.command_checks import *  # noqa: F403
from batcheval.checks.safety.domain_checks import *  # noqa: F403
from batcheval.checks.safety.injection_checks import *  # noqa: F403
from batcheval.checks.safety.write_checks import *  # noqa: F403

__all__ = [*argument_checks.__all__]
__all__ += command_checks.__all__
__all__ += domain_checks.__all__
__all__ += injection_checks.__all__
__all__ += write_checks.__all__
