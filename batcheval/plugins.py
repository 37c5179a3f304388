"""What a user's own module offers, by a name such as `package.module:function`."""

import importlib.util
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from batcheval.errors import UnknownFunctionError, UnknownModuleError


def found_at(name: str, folder: Path | None = None) -> object:
    """What stands at `module:path`.

    Args:
        name: a module and, behind the colon, what to take from it.
        folder: where else to look for the module, should Python not know it.

    Raises:
        UnknownModuleError: the module cannot be imported.
        UnknownFunctionError: the module has nothing of that name.

    Example:
        >>> found_at("json:loads")('"text"')
        'text'
    """
    module, _, path = name.partition(":")
    found: object = _import(module, folder)
    for step in path.split("."):
        if not hasattr(found, step):
            raise UnknownFunctionError(module, path, dir(found))
        found = getattr(found, step)
    return found


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
