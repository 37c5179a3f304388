"""What a scorer is, as a key that changes whenever its scores could."""

import inspect
import json
import re
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import cloudpickle
import polars as pl
from xxhash import xxh3_128

import batcheval
from batcheval.plugins import found_at
from batcheval.readers import Layout
from batcheval.scorer import Scorer
from batcheval.suite import make_scorer
from batcheval.suite.functions import find_function


def key_of(*facts: object) -> str:
    """A key of facts that JSON can hold."""
    text = json.dumps(facts, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return xxh3_128(text.encode()).hexdigest()


def definition_of(scorer: Scorer) -> str:
    """A key of a scorer: its check, the arguments, the code of both; never the same for two.

    The code of a check of batcheval is batcheval's; that of somebody's own is its module, and the
    modules beside it that are loaded. A scorer made of expressions is these expressions. What can
    not be told, such as a function of an unknown kind, makes a key that no other scorer ever has.

    Example:
        >>> from batcheval import checks
        >>> a, b, c = (checks.includes(text) for text in ("sun", "sun", "rain"))
        >>> definition_of(a) == definition_of(b), definition_of(a) == definition_of(c)
        (True, False)
    """
    if scorer.made is None:
        parts = [scorer.score, scorer.details, scorer.reason]
        return key_of(scorer.id, code_of_batcheval(), [_spelled(part) for part in parts])
    function: Any = scorer.made.func
    args, kwargs = scorer.made.args, scorer.made.keywords
    if function is make_scorer:  # of a function that is no check by itself
        name, args, kwargs, folder = args
        function = find_function(name, folder)
    arguments = [[_spelled(arg) for arg in args], {k: _spelled(v) for k, v in kwargs.items()}]
    return key_of(scorer.id, code_of_batcheval(), _named(function), arguments)


def layout_key(name: str | None) -> object:
    """A key of a layout: its name, and the mapping or code of somebody's own."""
    if name is None or not (name.endswith(".toml") or ":" in name):
        return name
    if name.endswith(".toml"):
        return [name, xxh3_128(Path(name).read_bytes()).hexdigest()]
    found = found_at(name, Path.cwd())
    return [name, _named(found.read if isinstance(found, Layout) else found)]


def _named(function: Any) -> list[str]:
    """A function by its name, and the code that it may use."""
    function = inspect.unwrap(function)
    module = sys.modules.get(function.__module__)
    name = f"{function.__module__}:{function.__qualname__}"
    if function.__module__.partition(".")[0] == "batcheval":
        return [name]
    if module is None or not getattr(module, "__file__", None) or "<" in function.__qualname__:
        return [name, _pickled(function)]
    return [name, *(xxh3_128(path.read_bytes()).hexdigest() for path in _code_with(module))]


def _code_with(module: Any) -> list[Path]:
    """The files of a module, and of those in its package or folder that are loaded."""
    package, own = module.__name__.partition(".")[0], Path(module.__file__)
    files = {own}
    for name, other in list(sys.modules.items()):
        file = getattr(other, "__file__", None)
        is_near = name.partition(".")[0] == package
        if not is_near and file and "site-packages" not in own.parts:
            is_near = Path(file).parent == own.parent
        if file and is_near:
            files.add(Path(file))
    return sorted(path for path in files if path.is_file())


@lru_cache(maxsize=1)
def code_of_batcheval() -> str:
    """A key of batcheval as it is installed."""
    house = Path(batcheval.__file__).parent
    digest = xxh3_128(batcheval.__version__.encode())
    for path in sorted(_sources(house)):
        digest.update(str(path.relative_to(house)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _sources(house: Path) -> Iterator[Path]:
    return (path for path in house.rglob("*") if path.suffix != ".pyc" and path.is_file())


def _spelled(value: object) -> object:
    """An argument as JSON, such that two that differ are spelled differently."""
    if value is None or isinstance(value, bool | int | float | str):
        return [type(value).__name__, repr(value)]
    if isinstance(value, Scorer):
        return ["scorer", definition_of(value)]
    if isinstance(value, list | tuple):
        return [type(value).__name__, [_spelled(one) for one in value]]
    if isinstance(value, Mapping):
        return ["mapping", [[_spelled(key), _spelled(one)] for key, one in value.items()]]
    if isinstance(value, re.Pattern):
        return ["pattern", repr(value.pattern), value.flags]
    if isinstance(value, pl.Expr):
        return ["expression", str(value), _pickled(value)]
    return [type(value).__name__, _pickled(value)]


def _pickled(value: object) -> str:
    try:
        return xxh3_128(cloudpickle.dumps(value)).hexdigest()
    except Exception:  # whatever polars and pickle find in it
        return uuid4().hex
