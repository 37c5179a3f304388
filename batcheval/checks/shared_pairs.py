"""How many neighbouring pairs of characters two texts share, counted for many rows at once.

Texts are the rows of a sparse matrix and pairs its columns: what two rows share is the sum of the
lesser counts, which scipy finds in one compiled pass, without sorting.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Chars = NDArray[Any]
Ints = NDArray[np.int64]

ASCII = 130  # bytes of ASCII and two more
FEW = 1 << 18  # possible pairs that may each have a column, whether they occur or not


class PairCounter:
    """Counts the pairs that texts share; one thread at a time.

    It keeps its work arrays from block to block: fresh memory costs more than the counting.
    """

    def __init__(self) -> None:
        self._columns = [np.empty(0, np.int32), np.empty(0, np.int32)]
        self._once = np.ones(0, np.int16)

    def shared(self, chars: tuple[Chars, Chars], bounds: tuple[Ints, Ints]) -> Ints:
        """The size of the multiset intersection of the pairs of two texts, row by row.

        Args:
            chars: the characters of either side, row after row: uint8 below `ASCII`, or code points
                as uint32. The last one of a text must not occur on the other side, so that no pair
                that starts or ends with it counts.
            bounds: where the rows of either side start, and the end of the last. The right side may
                be one row for all of the left.

        Example:
            >>> left = np.frombuffer(b"abab.cab.", np.uint8), np.array([0, 5, 9])
            >>> right = np.frombuffer(b"abba!", np.uint8), np.array([0, 5])
            >>> PairCounter().shared(*zip(left, right)).tolist()
            [2, 1]
        """
        (pairs, others), columns = _numbered(*chars)
        starts, ends = bounds
        if len(ends) < len(starts):
            return _shared_with_one(pairs, starts, others, columns)
        left = self._matrix(0, pairs, starts, columns)
        lesser = left.minimum(self._matrix(1, others, ends, columns))
        return np.asarray(lesser.sum(axis=1), np.int64)

    def _matrix(self, side: int, pairs: Chars, bounds: Ints, columns: int) -> "csr_array[Any, Any]":
        size = len(pairs)
        if size > len(self._columns[side]):
            self._columns[side] = np.empty(size + size // 4, np.int32)
        if size > len(self._once):
            self._once = np.ones(size + size // 4, np.int16)
        column = self._columns[side][:size]
        np.copyto(column, pairs, casting="unsafe")
        return count_matrix(column, bounds, columns, self._once[:size])


def _numbered(left: Chars, right: Chars) -> tuple[list[Chars], int]:
    """The number of the pair that starts at each character, and how many numbers there are."""
    sides, base = [left, right], ASCII
    if left.dtype != np.uint8:
        known = np.zeros(1 + max(int(side.max()) for side in sides), bool)
        for side in sides:
            known[side] = True
        base = int(known.sum())
        places = (np.cumsum(known, dtype=np.int32) - 1).astype(np.min_scalar_type(base))
        sides = [places.take(side) for side in sides]
    pairs = [_numbers(side, base) for side in sides]
    return (pairs, base**2) if base**2 <= FEW else _without_gaps(pairs)


def _numbers(chars: Chars, base: int) -> Chars:
    wide = np.min_scalar_type(base**2)  # the narrower, the less memory passes by
    pairs: Chars = np.multiply(chars, wide.type(base), dtype=wide, casting="unsafe")
    np.add(pairs[:-1], chars[1:], out=pairs[:-1])
    return pairs


def _without_gaps(pairs: list[Chars]) -> tuple[list[Chars], int]:
    """The same pairs by numbers without gaps."""
    import pyarrow as pa

    codes = pa.array(np.concatenate(pairs)).dictionary_encode()
    return np.split(codes.indices.to_numpy(), [len(pairs[0])]), len(codes.dictionary)


def _shared_with_one(pairs: Chars, bounds: Ints, others: Chars, columns: int) -> Ints:
    """Counts of the pairs of one text, in a small table a row: few pairs are among them."""
    distinct, often = np.unique(others, return_counts=True)
    places = np.full(columns, len(distinct), np.min_scalar_type(len(distinct)))
    places[distinct] = np.arange(len(distinct))
    found = places.take(pairs)
    hits = np.flatnonzero(found < len(distinct))
    rows = np.repeat(np.arange(len(bounds) - 1), np.diff(np.searchsorted(hits, bounds)))
    cells = (len(bounds) - 1) * len(distinct)
    counts = np.bincount(rows * len(distinct) + found[hits], minlength=cells)
    return np.asarray(np.minimum(counts.reshape(-1, len(distinct)), often).sum(axis=1), np.int64)


def count_matrix(
    numbers: Chars, bounds: Ints, columns: int, once: Chars | None = None
) -> "csr_array[Any, Any]":
    """A row a text, a column a number; one that occurs more than once may stand there as often.

    Where an array of as many ones is at hand, it is taken.
    """
    from scipy.sparse import csr_array

    often = np.int16 if np.diff(bounds).max() < 1 << 15 else np.int32
    if once is None or once.dtype != often:
        once = np.ones(len(numbers), often)
    places = (once, numbers.astype(np.int32, copy=False), bounds.astype(np.int32))
    return csr_array(places, shape=(len(bounds) - 1, columns))
