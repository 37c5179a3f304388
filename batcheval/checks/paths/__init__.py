"""The way that a run took: the steps, who took them, and the path along the tools."""

from batcheval.checks.paths import agent_checks, path_checks, step_checks
from batcheval.checks.paths.agent_checks import *  # noqa: F403
from batcheval.checks.paths.path_checks import *  # noqa: F403
from batcheval.checks.paths.step_checks import *  # noqa: F403

__all__ = [*agent_checks.__all__]
__all__ += path_checks.__all__
__all__ += step_checks.__all__
