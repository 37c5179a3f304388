"""The function behind the name of a check."""

import inspect
from collections.abc import Callable
from pathlib import Path

from batcheval.checks import find_check
from batcheval.errors import NotACheckError
from batcheval.plugins import found_at
from batcheval.scorer import Scorer


def find_function(name: str, folder: Path | None = None) -> Callable[..., object]:
    """The check of this name, or the function that `package.module:function` leads to.

    Args:
        name: a name in `CHECKS`, or a module and what to take from it: a function that gives a
            `Verdict` or a `Scorer`, or a finished `Scorer`.
        folder: where else to look for the module, should Python not know it.

    Raises:
        UnknownCheckError: no check is called so.
        UnknownModuleError: the module cannot be imported.
        UnknownFunctionError: the module has nothing of that name.
        NotACheckError: what it has is neither a function nor a `Scorer`.
    """
    if ":" not in name:
        return find_check(name)
    found = found_at(name, folder)
    if isinstance(found, Scorer):
        return _giving(found)
    if not inspect.isfunction(found) or inspect.iscoroutinefunction(found):
        raise NotACheckError(name, f"is {found!r:.100}")
    return found


def _giving(scorer: Scorer) -> Callable[[], Scorer]:
    return lambda: scorer
