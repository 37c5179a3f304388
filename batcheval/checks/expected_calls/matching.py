"""Calls that were made against calls that were expected, by which of them fit which.

A run is a list of edges: for each call that was made, the places of the expected calls that it
fits. Nothing here knows what a call is.
"""

from collections.abc import Sequence
from typing import TypeAlias

Edges: TypeAlias = Sequence[Sequence[int]]
Pairs: TypeAlias = dict[int, int]  # the place of a call made, by that of the expected one


def matching(edges: Edges, begin: Pairs | None = None) -> Pairs:
    """As many pairs of a call and an expected one that it fits as there can be (Kuhn 1955).

    Args:
        edges: what each call fits.
        begin: pairs to begin with; the expected calls and the calls in them stay paired.

    Example:
        >>> sorted(matching([[0, 1], [0]]).items())
        [(0, 1), (1, 0)]
    """
    pairs = dict(begin or {})
    taken = set(pairs.values())
    for made in range(len(edges)):
        if made not in taken:
            _augment(edges, made, pairs)
    return pairs


def _augment(edges: Edges, start: int, pairs: Pairs) -> None:
    """Find, breadth first, a chain of exchanges that pairs one call more, and make them."""
    came: dict[int, int] = {}  # by expected call: the call from which it was reached
    waiting = [start]
    for made in waiting:
        for wanted in edges[made]:
            if wanted in came:
                continue
            came[wanted] = made
            if wanted in pairs:
                waiting.append(pairs[wanted])
                continue
            _exchange(came, start, wanted, pairs)
            return


def _exchange(came: Pairs, start: int, wanted: int, pairs: Pairs) -> None:
    held = {made: expected for expected, made in pairs.items()}
    while True:
        made = came[wanted]
        pairs[wanted] = made
        if made == start:
            return
        wanted = held[made]


def is_exact(edges: Edges, size: int) -> bool:
    """Whether the calls are those expected, place by place."""
    return len(edges) == size and all(place in fits for place, fits in enumerate(edges))


def is_in_order(edges: Edges, size: int) -> bool:
    """Whether all expected calls were made in their order; others may lie between."""
    waits = 0
    for fits in edges:
        waits += waits in fits
    return waits == size


def common_order(edges: Edges, size: int) -> Pairs:
    """A longest sequence of pairs that stand in the same order on both sides.

    Example:
        >>> common_order([[1], [0], [1]], 2)
        {0: 1, 1: 2}
    """
    longest = [[0] * (size + 1)]
    for fits in edges:
        above, row = longest[-1], [0]
        for wanted in range(size):
            met = above[wanted] + 1 if wanted in fits else 0
            row.append(max(above[wanted + 1], row[wanted], met))
        longest.append(row)
    pairs, made, wanted = {}, len(edges), size
    while made and wanted:
        if longest[made][wanted] == longest[made - 1][wanted]:
            made -= 1
        elif longest[made][wanted] == longest[made][wanted - 1]:
            wanted -= 1
        else:
            made, wanted = made - 1, wanted - 1
            pairs[wanted] = made
    return dict(sorted(pairs.items()))


def edits(edges: Edges, size: int) -> int:
    """The least number of calls to insert, delete or replace (Levenshtein 1966)."""
    row = list(range(size + 1))
    for number, fits in enumerate(edges, 1):
        above, row = row, [number]
        for wanted in range(size):
            replaced = above[wanted] + (wanted not in fits)
            row.append(min(replaced, above[wanted + 1] + 1, row[wanted] + 1))
    return row[-1]
