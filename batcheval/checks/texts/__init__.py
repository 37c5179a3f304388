"""Checks of what a run said, beside those of `text`: a module per kind of question."""

from batcheval.checks.texts import edges, lengths, reading, several
from batcheval.checks.texts.edges import *  # noqa: F403
from batcheval.checks.texts.lengths import *  # noqa: F403
from batcheval.checks.texts.reading import *  # noqa: F403
from batcheval.checks.texts.several import *  # noqa: F403

__all__ = edges.__all__ + lengths.__all__ + reading.__all__ + several.__all__
