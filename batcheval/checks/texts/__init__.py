"""Checks of what a run said, beside those of `text`: a module per kind of question."""

from batcheval.checks.texts import (
    edges,
    lengths,
    links,
    numbers_said,
    phrases,
    privacy,
    reading,
    repeats,
    several,
    shape,
)
from batcheval.checks.texts.edges import *  # noqa: F403
from batcheval.checks.texts.lengths import *  # noqa: F403
from batcheval.checks.texts.links import *  # noqa: F403
from batcheval.checks.texts.numbers_said import *  # noqa: F403
from batcheval.checks.texts.phrases import *  # noqa: F403
from batcheval.checks.texts.privacy import *  # noqa: F403
from batcheval.checks.texts.reading import *  # noqa: F403
from batcheval.checks.texts.repeats import *  # noqa: F403
from batcheval.checks.texts.several import *  # noqa: F403
from batcheval.checks.texts.shape import *  # noqa: F403

__all__ = [*edges.__all__]
__all__ += lengths.__all__
__all__ += links.__all__
__all__ += numbers_said.__all__
__all__ += phrases.__all__
__all__ += privacy.__all__
__all__ += reading.__all__
__all__ += repeats.__all__
__all__ += several.__all__
__all__ += shape.__all__
