"""Coverage of elements by elements, for all rows of a batch at once."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from batcheval.checks.elements.containment import covering
from batcheval.checks.elements.extraction import elements

BLOCK_BYTES: Final = 1 << 22  # text that is taken apart at once: bounds the memory
PLACE_BITS: Final = 32


class Coverage(NamedTuple):
    """What the second texts cover of the first.

    A key is a row in the upper bits and an element's place in `texts` in the lower; sorted.

    Attributes:
        texts: the distinct elements of both sides.
        wanted: the keys of the elements of the first texts.
        offered: those of the second texts.
        exact: which of the wanted are among the offered.
        covered: which of the wanted are covered by any of the offered.
        rows: how many rows there are.
    """

    texts: list[str]
    wanted: NDArray[np.int64]
    offered: NDArray[np.int64]
    exact: NDArray[np.bool_]
    covered: NDArray[np.bool_]
    rows: int

    def scores(self) -> NDArray[np.float64]:
        """Of each row the covered share; 1 where neither side has elements, 0 where one lacks."""
        counts = np.bincount(self.wanted >> PLACE_BITS, minlength=self.rows)
        hits = np.bincount(self.wanted >> PLACE_BITS, self.covered, self.rows)
        others = np.bincount(self.offered >> PLACE_BITS, minlength=self.rows)
        return np.where(counts > 0, hits / np.maximum(counts, 1), others == 0)


def blocks(wanted: pl.Series, offered: pl.Series) -> Iterator[slice]:
    """Stretches of rows with about `BLOCK_BYTES` of text."""
    sizes = [side.str.len_bytes().fill_null(0).to_numpy() for side in (wanted, offered)]
    block = np.cumsum(np.sum(sizes, axis=0, dtype=np.int64) + 64) // BLOCK_BYTES
    cuts = np.flatnonzero(np.diff(block, prepend=-1, append=-1))
    yield from (slice(*ends) for ends in pairwise(cuts.tolist()))


def coverage(wanted: pl.Series, offered: pl.Series, split_camel_case: bool) -> Coverage:
    """Hold the elements of `offered` against those of `wanted`, row by row."""
    rows = len(wanted)
    found = elements(pl.concat([wanted, offered], rechunk=False), split_camel_case)
    keys = found.rows << PLACE_BITS | found.places
    cut = int(np.searchsorted(found.rows, rows))
    asked, given = np.unique(keys[:cut]), np.unique(keys[cut:] - (rows << PLACE_BITS))
    exact = among(asked, given)
    covered = exact.copy()
    left = np.flatnonzero(~exact)
    covered[left] = _covered(found.texts, asked[left], given)
    return Coverage(found.texts, asked, given, exact, covered, rows)


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
    low = (1 << PLACE_BITS) - 1
    place = {text: number for number, text in enumerate(texts)}
    sides = ([texts[p] for p in np.unique(keys & low).tolist()] for keys in (asked, given))
    pairs = np.array([(place[e], place[o]) for e, o in covering(*sides)], np.int64).reshape(-1, 2)
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    starts, ends = (np.searchsorted(pairs[:, 0], asked & low, side) for side in ("left", "right"))
    which = np.repeat(np.arange(len(asked)), ends - starts)
    steps = np.arange(len(which)) - np.repeat(np.cumsum(ends - starts) - (ends - starts), ends - starts)
    others = (asked[which] & ~low) | pairs[starts[which] + steps, 1]
    hits = among(others, given)
    return np.bincount(which[hits], minlength=len(asked)).astype(bool)


def scores(wanted: pl.Series, offered: pl.Series, split_camel_case: bool) -> NDArray[np.float64]:
    """Of each row the share of the elements of `wanted` that `offered` covers."""
    parts = [coverage(wanted[cut], offered[cut], split_camel_case) for cut in blocks(wanted, offered)]
    return np.concatenate([np.empty(0), *(part.scores() for part in parts)])
