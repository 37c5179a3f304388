"""The layouts that are read besides the native one: a module each, found by being here."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from batcheval.readers.layouts.layout import Layout

_NOT_LAYOUTS: Final = frozenset({"layout"})


@cache
def layouts() -> dict[str, Layout]:
    """All layouts by name: each module here that has a `LAYOUT`, or several in `LAYOUTS`.

    Example:
        >>> "openai_chat" in layouts()
        True
    """
    found: dict[str, Layout] = {}
    for module in iter_modules(__path__):
        if module.name not in _NOT_LAYOUTS:
            home = import_module(f"{__name__}.{module.name}")
            for layout in getattr(home, "LAYOUTS", None) or (home.LAYOUT,):
                found[layout.name] = layout
    return found
