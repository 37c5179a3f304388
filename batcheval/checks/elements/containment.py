"""Which elements cover which: pairs in which the shorter is more than 0.6 of the longer."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

COVERS = 0.6  # the shorter must be more than this share of the longer
LONG = 32  # characters from which parts are not looked up one by one
MIDDLE = 6  # characters of the middle that a part of more than 0.6 must hold; 0.2 * LONG at most


def covering(wanted: Iterable[str], offered: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pairs of a wanted element of more than 3 letters and another that covers it.

    Each text is taken once; the work grows with the number of texts, not of pairs.

    Example:
        >>> sorted(covering(["cats", "cat", "table"], ["cat", "cats", "able"]))
        [('cats', 'cat'), ('table', 'able')]
    """
    asked = {text for text in wanted if len(text) > 3}
    others = set(offered)
    if asked and others:
        yield from _parts(asked, others)
        yield from ((part, whole) for whole, part in _parts(others, asked))


def _parts(wholes: set[str], parts: set[str]) -> Iterator[tuple[str, str]]:
    """Each whole with those of `parts` that it contains and that are enough of it."""
    for whole in wholes:
        if len(whole) <= LONG and not parts.isdisjoint(cuts := _cuts(whole)):
            yield from ((whole, part) for part in cuts & parts)
    yield from _long_parts([whole for whole in wholes if len(whole) > LONG], parts)


def _long_parts(wholes: list[str], parts: set[str]) -> Iterator[tuple[str, str]]:
    """The same for long wholes: a part of more than 0.6 holds what is in the middle."""
    by_middle: dict[str, list[str]] = {}
    for whole in wholes:
        at = (len(whole) - MIDDLE) // 2
        by_middle.setdefault(whole[at : at + MIDDLE], []).append(whole)
    for part in parts if by_middle else ():
        if len(part) > COVERS * LONG:
            grams = {part[at : at + MIDDLE] for at in range(len(part) - MIDDLE + 1)}
            for whole in (w for gram in grams & by_middle.keys() for w in by_middle[gram]):
                if COVERS < len(part) / len(whole) < 1 and part in whole:
                    yield whole, part


@lru_cache(1 << 15)
def _cuts(whole: str) -> frozenset[str]:
    """Its parts that are enough of it, and not all; kept for the next batch."""
    size = len(whole)
    sizes = [length for length in range(1, size) if length / size > COVERS]
    return frozenset(whole[at : at + n] for n in sizes for at in range(size - n + 1))
