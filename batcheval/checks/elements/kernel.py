"""Coverage of elements by elements, for all rows of a batch at once."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from batcheval.checks.elements.containment import covering
from batcheval.checks.elements.extraction import elements

BLOCK_BYTES: Final = 1 << 23  # text that is taken apart at once: bounds the memory
PLACE_BITS: Final = 32
PLACE: Final = (1 << PLACE_BITS) - 1


class Coverage(NamedTuple):
    """What the second texts cover of the first.

    A key is a row in the upper bits and an element's place in `texts` in the lower.

    Attributes:
        texts: the distinct elements of both sides.
        wanted: the keys of the elements of the first texts, once each, sorted.
        offered: those of the second texts.
        exact: which of the wanted are among the offered.
        covered: which of the wanted are covered by any of the offered.
        spoken: the keys of both sides as they stand in the texts, with repeats.
        rows: how many rows there are.
    """

    texts: list[str]
    wanted: NDArray[np.int64]
    offered: NDArray[np.int64]
    exact: NDArray[np.bool_]
    covered: NDArray[np.bool_]
    spoken: tuple[NDArray[np.int64], NDArray[np.int64]]
    rows: int

    def scores(self) -> NDArray[np.float64]:
        """Of each row the covered share; 1 where neither side has elements, 0 where one lacks."""
        rows = self.wanted >> PLACE_BITS
        counts = np.bincount(rows, minlength=self.rows)
        hits = np.bincount(rows, self.covered, self.rows)
        others = np.bincount(self.offered >> PLACE_BITS, minlength=self.rows)
        return np.where(counts > 0, hits / np.maximum(counts, 1), others == 0)


def coverage(wanted: pl.Series, offered: pl.Series, split_camel_case: bool) -> Iterator[Coverage]:
    """Hold the elements of `offered` against those of `wanted`, row by row, in blocks of rows."""
    sizes = [side.str.len_bytes().fill_null(0).to_numpy() for side in (wanted, offered)]
    block = np.cumsum(np.sum(sizes, axis=0, dtype=np.int64) + 64) // BLOCK_BYTES
    cuts = np.flatnonzero(np.diff(block, prepend=-1, append=-1))
    for cut in (slice(*ends) for ends in pairwise(cuts.tolist())):
        yield _coverage(wanted[cut], offered[cut], split_camel_case)


def scores(wanted: pl.Series, offered: pl.Series, split_camel_case: bool) -> NDArray[np.float64]:
    """Of each row the share of the elements of `wanted` that `offered` covers.

    Example:
        >>> scores(pl.Series(["He deleted the files"]), pl.Series(["Delete files"]), False).tolist()
        [0.5]
    """
    parts = [part.scores() for part in coverage(wanted, offered, split_camel_case)]
    return np.concatenate([np.empty(0), *parts])


def _coverage(wanted: pl.Series, offered: pl.Series, split_camel_case: bool) -> Coverage:
    rows = len(wanted)
    found = elements(pl.concat([wanted, offered], rechunk=False), split_camel_case)
    keys = found.rows << PLACE_BITS | found.places
    cut = int(np.searchsorted(found.rows, rows))
    spoken = keys[:cut], keys[cut:] - (rows << PLACE_BITS)
    asked, given = map(distinct, spoken)
    exact = among(asked, given)
    covered = exact.copy()
    left = np.flatnonzero(~exact)
    covered[left] = _covered(found.texts, asked[left], given)
    return Coverage(found.texts, asked, given, exact, covered, spoken, rows)


def distinct(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """The keys once each, sorted; `np.unique` hashes, which is slower."""
    ordered = np.sort(keys)
    return ordered[np.diff(ordered, prepend=-1) > 0]


def among(keys: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which keys are among others, which are sorted."""
    if not len(others):
        return np.zeros(len(keys), bool)
    found: NDArray[np.bool_] = others[np.searchsorted(others[:-1], keys)] == keys
    return found


def _covered(
    texts: list[str], asked: NDArray[np.int64], given: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Which of the asked have an element among the given that contains them or is in them."""
    sides = [distinct(keys & PLACE).tolist() for keys in (asked, given)]
    place = {texts[number]: number for numbers in sides for number in numbers}
    found = covering(*([texts[number] for number in numbers] for numbers in sides))
    pairs = np.array([(place[e], place[o]) for e, o in found], np.int64).reshape(-1, 2)
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    first, last = (np.searchsorted(pairs[:, 0], asked & PLACE, side) for side in ("left", "right"))
    counts = last - first
    which = np.repeat(np.arange(len(asked)), counts)
    steps = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
    others = (asked[which] & ~PLACE) | pairs[first[which] + steps, 1]
    return np.bincount(which[among(others, given)], minlength=len(asked)).astype(bool)
