"""Does a value from a suite or a call fit the annotation of the parameter that it goes to?"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import polars as pl

from batcheval.errors import BadArgumentError, BadColumnError, quoted
from batcheval.scorer import Scorer

LISTS: Final = (list, tuple, Sequence, Collection, Iterable)
_TABLES: Final = (dict, Mapping)

_SIMPLE: Final[dict[Any, tuple[str, Callable[[object], bool]]]] = {
    str: ("a text", lambda value: isinstance(value, str)),
    bool: ("true or false", lambda value: isinstance(value, bool)),
    int: ("a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool)),
    float: ("a number", lambda value: _SIMPLE[int][1](value) or isinstance(value, float)),
    pl.Expr: ("a column", lambda value: isinstance(value, pl.Expr)),
    Scorer: ("a check", lambda value: isinstance(value, Scorer)),
    NoneType: ("nothing", lambda value: value is None),
}


def column(name: object) -> pl.Expr:
    """The expression for a column or a path into one.

    Raises:
        BadColumnError: the name is no text, is blank, or would be read as a pattern.
    """
    if not isinstance(name, str) or not name.strip():
        raise BadColumnError(name)
    if any("\ud800" <= char <= "\udfff" for char in name):
        raise BadColumnError(name, "has half of a surrogate pair")
    if name == "*" or (name.startswith("^") and name.endswith("$")):
        raise BadColumnError(name, "would be several columns, not one")
    return pl.col(name)


def hints(function: Callable[..., object]) -> dict[str, Any]:
    """The annotations of a function; none where they cannot be told."""
    try:
        return get_type_hints(function)
    except (NameError, TypeError, AttributeError):  # names for the type checker only, a partial
        return {}


def fit(name: str, value: object, hint: Any) -> object:
    """The value as the parameter takes it: a text is a column's name where only columns go.

    Raises:
        BadArgumentError: the annotation does not allow the value.

    Example:
        >>> str(fit("on", "input", pl.Expr)), fit("expected", "input", str | pl.Expr)
        ('col("input")', 'input')
    """
    if isinstance(value, str) and set(members(hint)) - {NoneType} == {pl.Expr}:
        return column(value)
    if not _accepts(hint, value):
        raise BadArgumentError(name, _wanted(hint), _shown(value))
    return value


def members(hint: Any) -> tuple[Any, ...]:
    """The types that an annotation names: several in a union."""
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _accepts(hint: Any, value: object) -> bool:
    return any(_accepts_one(member, value) for member in members(hint))


def _accepts_one(hint: Any, value: object) -> bool:
    kind = get_origin(hint) or hint
    if kind in _SIMPLE:
        return _SIMPLE[kind][1](value)
    if kind is Literal:
        return value in get_args(hint)
    if kind in _TABLES:
        return isinstance(value, dict)
    if kind in LISTS:
        item = (*get_args(hint), Any)[0]
        return isinstance(value, list | tuple) and all(_accepts(item, entry) for entry in value)
    return True  # an annotation that says nothing here: the check itself must know


def _wanted(hint: Any) -> str:
    """What the annotation asks for, in words.

    Example:
        >>> _wanted(str | pl.Expr), _wanted(list[str] | None), _wanted(Literal["a", "b"])
        ('a text or a column', 'a list of texts', "one of 'a', 'b'")
    """
    return " or ".join(_words(member) for member in members(hint) if member is not NoneType)


def _words(hint: Any) -> str:
    kind = get_origin(hint) or hint
    if kind in _SIMPLE:
        return _SIMPLE[kind][0]
    if kind is Literal:
        return f"one of {quoted(get_args(hint))}"
    if kind in _TABLES:
        return "a table"
    item, *_ = (*get_args(hint), Any)
    if get_origin(item) is Literal:
        return f"a list of some of {quoted(get_args(item))}"
    of = f" of {_SIMPLE[item][0].removeprefix('a ')}s" if item in _SIMPLE else ""
    return f"a list{of}"


def _shown(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_shown(entry) for entry in value]
    if isinstance(value, Scorer):
        return f"the check {value.description}"
    return str(value) if isinstance(value, pl.Expr) else value
