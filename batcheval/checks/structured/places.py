"""Places in a JSON value: the paths of the house, with `[*]` for each item or value.

Not JMESPath, in which a value that is null and one that is not there are the same.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from batcheval.errors import BadArgumentError, BadPathError
from batcheval.schema.paths import Step, steps

Place: TypeAlias = tuple[Step | None, ...]  # None: each of them

_EACH: Final = "\0each"


def place(name: str, path: object) -> Place:
    """The steps of a path such as `items[*].price` or `a["b c"][0]`; "" is the whole.

    Raises:
        BadArgumentError: `path`, a value of the argument `name`, is no path.

    Example:
        >>> place("path", "items[*].price")
        ('items', None, 'price')
    """
    if not isinstance(path, str):
        raise BadArgumentError(name, "a path such as 'items[0].price'", path)
    try:
        found = steps(path.replace("[*]", f'["{_EACH}"]'))
    except BadPathError:
        raise BadArgumentError(name, "a path such as 'items[*].price'", path) from None
    return tuple(None if step == _EACH else step for step in found)


def places_of(name: str, paths: object) -> list[Place]:
    """The steps of each of several paths.

    Raises:
        BadArgumentError: `paths`, the argument `name`, is no list of paths.

    Example:
        >>> places_of("ignore", ["id", "items[0]"])
        [('id',), ('items', 0)]
    """
    if isinstance(paths, str) or not isinstance(paths, Sequence):
        raise BadArgumentError(name, "a list of paths", paths)
    return [place(name, path) for path in paths]


def found(value: Any, where: Place) -> list[Any]:
    """The values at a place: none, one, or with `[*]` any number.

    Example:
        >>> found({"a": [{"b": 1}, {"b": None}, {}]}, ("a", None, "b"))
        [1, None]
    """
    level = [value]
    for step in where:
        level = [inner for outer in level for inner in _next(outer, step)]
    return level


def _next(value: Any, step: Step | None) -> list[Any]:
    if step is None:
        return [*value.values()] if isinstance(value, dict) else [*_items(value)]
    if isinstance(step, str):
        return [value[step]] if isinstance(value, dict) and step in value else []
    items = _items(value)
    return [items[step]] if -len(items) <= step < len(items) else []


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def removed(value: Any, where: Place) -> Any:
    """A value without what is at a place; items of arrays become null, so that others keep theirs.

    Example:
        >>> removed({"a": [{"b": 1, "c": 2}]}, ("a", None, "b"))
        {'a': [{'c': 2}]}
    """
    if not where:
        return None
    step, *rest = where
    if isinstance(value, dict) and not isinstance(step, int):
        kept = {}
        for key, inner in value.items():
            if step is not None and key != step:
                kept[key] = inner
            elif rest:
                kept[key] = removed(inner, tuple(rest))
        return kept
    if isinstance(value, list) and not isinstance(step, str):
        at = None if step is None else step % max(len(value), 1)
        has = step is None or -len(value) <= step < len(value)
        return [
            removed(inner, tuple(rest)) if has and at in (None, number) else inner
            for number, inner in enumerate(value)
        ]
    return value
