"""The function behind the name of a check."""

import importlib.util
import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

from batcheval.checks import find_check
from batcheval.errors import NotACheckError, UnknownFunctionError, UnknownModuleError
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
    module, _, path = name.partition(":")
    found: object = _import(module, folder)
    for step in path.split("."):
        if not hasattr(found, step):
            raise UnknownFunctionError(module, path, dir(found))
        found = getattr(found, step)
    if isinstance(found, Scorer):
        return _giving(found)
    if not inspect.isfunction(found) or inspect.iscoroutinefunction(found):
        raise NotACheckError(name, f"is {found!r:.100}")
    return found


def _giving(scorer: Scorer) -> Callable[[], Scorer]:
    return lambda: scorer


def _import(module: str, folder: Path | None) -> ModuleType:
    if not all(part.isidentifier() for part in module.split(".")):
        raise UnknownModuleError(module, "that is no module's name")
    try:
        if folder is not None and _lies_only_in(folder, module.split(".")[0]):
            sys.path.append(str(folder.resolve()))
        return import_module(module)
    except (Exception, SystemExit) as error:  # whatever the module does when it is imported
        lines = str(error).splitlines() or [""]
        raise UnknownModuleError(module, f"{type(error).__name__}: {lines[0]}") from error


def _lies_only_in(folder: Path, package: str) -> bool:
    here = any((folder / name).exists() for name in (f"{package}.py", package))
    return here and importlib.util.find_spec(package) is None
