"""How many n-grams two texts share, for each length of them and many texts at once."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl

from batcheval.checks.resemblance.tokens import Ints, Tokens
from batcheval.checks.shared_pairs import FEW, count_matrix

_MIX: Final = np.uint64(0x9E3779B97F4A7C15)


class Shared(NamedTuple):
    """Counts of n-grams of one length, row by row.

    Attributes:
        both: the size of the multiset intersection.
        left: how many the left text has.
        right: how many the right one has.
    """

    both: Ints
    left: Ints
    right: Ints


def shared(sides: Sequence[Tokens], size: int, lengths: int) -> Iterator[Shared]:
    """The n-grams that texts share, for n from 1 to `lengths`.

    Args:
        sides: the tokens of the left texts, and of one or more columns of right ones: where there
            are several, an n-gram counts as often as in that one which has it most often, and
            `right` is of the first.
        size: how many numbers of tokens there are.
        lengths: the longest n-gram.

    Example:
        >>> left = Tokens(np.array([0, 1, 0, 1]), np.array([0, 4]))
        >>> right = Tokens(np.array([1, 0, 1, 1]), np.array([0, 4]))
        >>> [int(counts.both[0]) for counts in shared([left, right], 2, 3)]
        [3, 2, 1]
    """
    found = [
        _Grams(
            side.ids, np.arange(len(side.ids)), np.repeat(np.arange(len(side.sizes)), side.sizes)
        )
        for side in sides
    ]
    many = size
    for length in range(1, lengths + 1):
        if length > 1:
            found, many = _without_gaps([_longer(one, many) for one in found], many**2)
        found = _likely(found)
        sizes = [np.maximum(side.sizes - length + 1, 0) for side in sides[:2]]
        yield Shared(_both(found, len(sizes[0]), many), *sizes)


class _Grams(NamedTuple):
    """Some n-grams: their numbers, the places of their first tokens, and the rows of these."""

    ids: Ints
    starts: Ints
    rows: Ints

    def some(self, kept: Any) -> "_Grams":
        return _Grams(self.ids[kept], self.starts[kept], self.rows[kept])


def _longer(grams: _Grams, many: int) -> _Grams:
    """Those made of two that overlap: any other has a part that the other side lacks."""
    following = np.diff(grams.starts) == 1
    places = np.flatnonzero(following & (np.diff(grams.rows) == 0))
    ids = grams.ids[places] * many + grams.ids[places + 1]
    return _Grams(ids, grams.starts[places], grams.rows[places])


def _likely(sides: Sequence[_Grams]) -> list[_Grams]:
    """Without most n-grams that the other side has not in that row."""
    width = max(len(side.ids) for side in sides).bit_length() + 3
    keys = [_keys(side, width) for side in sides]
    tables = [np.zeros(1 << width, bool) for _ in range(2)]
    for place, key in enumerate(keys):
        tables[min(place, 1)][key] = True
    return [
        side.some(np.flatnonzero(tables[place == 0][key]))
        for place, (side, key) in enumerate(zip(sides, keys, strict=True))
    ]


def _keys(side: _Grams, width: int) -> Any:
    mixed = side.rows.astype(np.uint64) * _MIX
    mixed ^= side.ids.astype(np.uint64)
    mixed *= _MIX
    mixed >>= np.uint64(64 - width)
    return mixed.astype(np.int64)


def _both(sides: Sequence[_Grams], rows: int, many: int) -> Ints:
    bounds = [np.searchsorted(side.rows, np.arange(rows + 1)) for side in sides]
    pairs = zip(sides, bounds, strict=True)
    left, right, *others = [count_matrix(side.ids, ends, many) for side, ends in pairs]
    for other in others:
        right = right.maximum(other)
    return np.asarray(left.minimum(right).sum(axis=1), np.int64)


def _without_gaps(sides: Sequence[_Grams], many: int) -> tuple[list[_Grams], int]:
    """The same by few numbers."""
    if many <= FEW:
        return list(sides), many
    import pyarrow as pa

    codes = pa.array(np.concatenate([side.ids for side in sides])).dictionary_encode()
    cuts = np.cumsum([len(side.ids) for side in sides])[:-1]
    parts = np.split(codes.indices.to_numpy().astype(np.int64), cuts)
    renumbered = [side._replace(ids=part) for side, part in zip(sides, parts, strict=True)]
    return renumbered, max(len(codes.dictionary), 1)


def ratio(part: Any, whole: Any) -> Any:
    """A quotient, 0.0 where there is no whole."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=np.asarray(whole) > 0)


def as_lists(texts: pl.Series) -> list[pl.Series]:
    """Lists of texts as columns: the first of each, the second of each and so on, padded by ''."""
    most = int(texts.list.len().max() or 1)  # type: ignore[arg-type]
    return [texts.list.get(place, null_on_oob=True).fill_null("") for place in range(most)]
