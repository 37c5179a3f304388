"""Checks of how alike the output and its references are, and the measures behind them."""

from batcheval.checks.resemblance import (
    answer_checks,
    edit_checks,
    match_checks,
    summary_checks,
    token_checks,
    translation_checks,
)
from batcheval.checks.resemblance.answer_checks import *  # noqa: F403
from batcheval.checks.resemblance.edit_checks import *  # noqa: F403
from batcheval.checks.resemblance.match_checks import *  # noqa: F403
from batcheval.checks.resemblance.summary_checks import *  # noqa: F403
from batcheval.checks.resemblance.token_checks import *  # noqa: F403
from batcheval.checks.resemblance.translation_checks import *  # noqa: F403

__all__: list[str] = []
__all__ += answer_checks.__all__
__all__ += edit_checks.__all__
__all__ += match_checks.__all__
__all__ += summary_checks.__all__
__all__ += token_checks.__all__
__all__ += translation_checks.__all__
