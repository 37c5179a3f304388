"""Pieces of a trace that were exported more than once, told once."""

from collections.abc import Iterable
from typing import Any

from batcheval.readers.grammar.values import as_text, dig


def once(values: Iterable[Any], id_path: str, kind_path: str) -> list[Any]:
    """Pieces of which those of one id and kind are one: the last, at the place of the first.

    An export that was made twice, or went on, has the same pieces again. A piece without an id is
    never another; one of another kind is not either, since some writers use their ids freely.

    Example:
        >>> told = [{"id": 1, "n": "a"}, {"n": "b"}, {"id": 1, "n": "c"}, {"n": "b"}]
        >>> [value["n"] for value in once(told, "id", "role")]
        ['c', 'b', 'b']
    """
    kept: dict[Any, Any] = {}
    for place, value in enumerate(values):
        id = dig(value, id_path)
        if type(id) not in (str, int) or id in ("", -1):
            kept[place] = value
            continue
        kind = dig(value, kind_path)
        kept[type(id), id, kind if type(kind) is str else (as_text(kind),)] = value
    return [*kept.values()]


def unrepeated(values: list[Any], start: int | None) -> list[Any]:
    """Pieces without ids of their own, which may be the same ones several times over.

    Args:
        values: in their order.
        start: the place of a piece that can be there once only, such as one that tells a time.

    Example:
        >>> unrepeated(["at 5:01", "a", "a", "at 5:01", "a", "a"], 0)
        ['at 5:01', 'a', 'a']
    """
    if start is None or values[start] not in values[start + 1 :]:
        return values
    length = values.index(values[start], start + 1) - start
    return values[:length] if values[length:] == values[:-length] else values
