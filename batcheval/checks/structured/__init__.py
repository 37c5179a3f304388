"""Checks of output that has a structure: JSON and what it holds, markup, YAML, SQL, Python."""

from batcheval.checks.structured import (
    code_checks,
    equality_checks,
    json_checks,
    language_checks,
    path_checks,
)
from batcheval.checks.structured.code_checks import *  # noqa: F403
from batcheval.checks.structured.equality_checks import *  # noqa: F403
from batcheval.checks.structured.json_checks import *  # noqa: F403
from batcheval.checks.structured.language_checks import *  # noqa: F403
from batcheval.checks.structured.path_checks import *  # noqa: F403

__all__: list[str] = []
__all__ += code_checks.__all__
__all__ += equality_checks.__all__
__all__ += json_checks.__all__
__all__ += language_checks.__all__
__all__ += path_checks.__all__
