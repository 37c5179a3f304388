"""The checks there are, by name: one room per kind of evidence."""

from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from batcheval.checks import (
    budgets,
    called,
    combining,
    conversations,
    coverage,
    expected_calls,
    fuzzy,
    lexicon,
    paths,
    resemblance,
    runs,
    safety,
    structured,
    text,
    texts,
    tools,
)
from batcheval.checks.budgets import *  # noqa: F403
from batcheval.checks.called import *  # noqa: F403
from batcheval.checks.combining import *  # noqa: F403
from batcheval.checks.conversations import *  # noqa: F403
from batcheval.checks.coverage import *  # noqa: F403
from batcheval.checks.expected_calls import *  # noqa: F403
from batcheval.checks.fuzzy import *  # noqa: F403
from batcheval.checks.lexicon import *  # noqa: F403
from batcheval.checks.paths import *  # noqa: F403
from batcheval.checks.resemblance import *  # noqa: F403
from batcheval.checks.runs import *  # noqa: F403
from batcheval.checks.safety import *  # noqa: F403
from batcheval.checks.structured import *  # noqa: F403
from batcheval.checks.text import *  # noqa: F403
from batcheval.checks.texts import *  # noqa: F403
from batcheval.checks.tools import *  # noqa: F403
from batcheval.errors import CheckImportError, UnknownCheckError
from batcheval.scorer import Scorer

__all__ = ["CHECKS", "check_names", "find_check"]
__all__ += called.__all__
__all__ += budgets.__all__
__all__ += budgets.__all__
__all__ += called.__all__
__all__ += combining.__all__
__all__ += conversations.__all__
__all__ += coverage.__all__
__all__ += expected_calls.__all__
__all__ += fuzzy.__all__
__all__ += lexicon.__all__
__all__ += paths.__all__
__all__ += resemblance.__all__
__all__ += runs.__all__
__all__ += safety.__all__
__all__ += structured.__all__
__all__ += text.__all__
__all__ += texts.__all__
__all__ += tools.__all__

CHECKS: Final[Mapping[str, Callable[..., Scorer]]] = {
    name: getattr(room, name)
    for room in (
        *(text, texts, tools, fuzzy, lexicon, coverage),
        *(runs, resemblance, structured, combining, called, expected_calls),
        *(paths, budgets, conversations, safety),
    )
    for name in room.__all__
}


def check_names() -> list[str]:
    """The names of all checks: ours, and those that installed packages offer."""
    return sorted({*CHECKS, *_offered()})


def _offered() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group="batcheval.checks")}


def find_check(name: str) -> Callable[..., Scorer]:
    """The check that goes by `name`: one of `CHECKS`, or one that an installed package offers.

    Packages offer checks by entry points of the group `batcheval.checks`; ours come first.

    Raises:
        UnknownCheckError: there is none.
        CheckImportError: it is offered, but cannot be imported.

    Example:
        >>> find_check("includes")("sunny").description
        "includes('sunny')"
    """
    if name in CHECKS:
        return CHECKS[name]
    offered = _offered()
    if name not in offered:
        raise UnknownCheckError(name, check_names())
    try:
        return offered[name].load()  # type: ignore[no-any-return]
    except Exception as error:  # whatever the package does when it is imported
        raise CheckImportError(name, offered[name].value, error) from error
