"""Sørensen-Dice similarity: the share of neighbouring character pairs that two texts share.

A text without its white space is a multiset of overlapping pairs of code points. Two texts score
`2 * shared / all pairs`; equal ones 1.0, else ones too short for a pair 0.0. Case counts, callers
fold; a null is "". Source: npm `string-similarity` 4.0.4, which pairs UTF-16 units instead.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

Floats = NDArray[np.float64]
BLOCK_BYTES = 1 << 19  # scored at once: spreads the overhead of numpy's calls, stays in cache
MOST_COMMON = 64  # characters with a place in the tables; their pairs number 4,096
BLANK = np.zeros(1 << 16, bool)  # by code point; any above is clipped to the last
BLANK[[*range(9, 14), 0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029]] = True
BLANK[[0x202F, 0x205F, 0x3000, 0xFEFF]] = True


class _Letters(NamedTuple):
    """Texts without white space, end to end: text i is `chars[bounds[i]:bounds[i + 1]]`."""

    chars: NDArray[Any]  # uint8 where all is ASCII, else uint32
    bounds: NDArray[np.int64]
    sizes: NDArray[np.int64]

    def keys(self, at: NDArray[np.int64]) -> Any:
        """Row, character and next character at the places `at`, in 21 bits each."""
        rows = np.repeat(np.arange(len(self.sizes)), np.diff(np.searchsorted(at, self.bounds)))
        return (rows << 21 | self.chars[at]) << 21 | self.chars[at + 1]


def dice(left: pl.Series, right: pl.Series) -> Floats:
    """Score two columns of texts in 0..1, row against row; a ValueError if their lengths differ.

    Example:
        >>> dice(pl.Series(["aaaa", "a b"]), pl.Series(["aa", "ab"])).tolist()
        [0.5, 1.0]
    """
    return _in_blocks(_row_by_row, left, right)


def dice_to(literal: str) -> Callable[[pl.Series], Floats]:
    """Prepare one text of any length: the result, thread-safe, scores columns against it in 0..1.

    Example:
        >>> dice_to("nacht")(pl.Series(["night", "Nacht", None])).tolist()
        [0.25, 0.75, 0.0]
    """
    one = pl.Series([literal])
    letters = _letters(one, one.str.len_chars().to_numpy())
    common = np.unique(letters.chars)
    if len(common) > MOST_COMMON:  # too many pairs for a table
        return lambda texts: dice(texts, one.new_from_index(0, len(texts)))
    table, _ = _count(letters, common)  # all its pairs: those of others need not be looked at

    def score(texts: _Letters) -> Floats:
        return _score(np.minimum(_count(texts, common)[0], table).sum(axis=1), texts, letters)

    return lambda texts: _in_blocks(score, texts)


def _in_blocks(score: Callable[..., Floats], *columns: pl.Series) -> Floats:
    """Score block by block, and rows of pure ASCII apart: a byte a character is fastest."""
    texts = [column.cast(pl.String).fill_null("") for column in columns]
    lengths = [text.str.len_chars().to_numpy() for text in texts]
    weights = np.array([text.str.len_bytes().to_numpy() for text in texts], np.int64).sum(axis=0)
    wide = weights != np.array(lengths, np.int64).sum(axis=0)
    scores = np.empty(len(weights))
    for rows in (np.flatnonzero(~wide), np.flatnonzero(wide)):
        sides = [(t.gather(rows), length[rows]) for t, length in zip(texts, lengths, strict=True)]
        blocks = np.cumsum(weights[rows] + 512) // BLOCK_BYTES  # 512: an empty row has a table too
        cuts = np.flatnonzero(np.diff(blocks, prepend=-1, append=-1))
        for cut in (slice(*ends) for ends in pairwise(cuts.tolist())):
            scores[rows[cut]] = score(*(_letters(text[cut], length[cut]) for text, length in sides))
    return scores


def _letters(texts: pl.Series, lengths: NDArray[Any]) -> _Letters:
    text = "".join(texts.to_list())  # `str.join` of a Series runs a query each time
    if text.isascii():  # unsigned arithmetic is faster than the table: below 9 wraps to large
        chars: NDArray[Any] = np.frombuffer(text.encode(), np.uint8)
        kept = (chars != 0x20) & (chars - 9 > 4)
    else:
        chars = np.frombuffer(text.encode("utf-32-le"), "<u4")
        kept = ~BLANK.take(chars, mode="clip")
    filled, starts = lengths > 0, np.cumsum(lengths, dtype=np.int64) - lengths
    sizes = np.zeros(len(lengths), np.int64)  # `reduceat` gives no zero for an empty stretch
    sizes[filled] = np.add.reduceat(kept.view(np.uint8), starts[filled], dtype=np.uint32)
    chars = pl.Series(chars).filter(pl.Series(kept)).to_numpy()  # thrice as fast as `chars[kept]`
    return _Letters(chars, np.append(0, np.cumsum(sizes)), sizes)


def _row_by_row(left: _Letters, right: _Letters) -> Floats:
    """Count pairs of common characters in one small table a row; sort the few others."""
    common = _common(left, right)
    (table, rare), (other, also_rare) = _count(left, common), _count(right, common)
    rest = _shared(left.keys(rare), right.keys(also_rare), len(table))
    return _score(np.minimum(table, other, out=table).sum(axis=1) + rest, left, right)


def _common(left: _Letters, right: _Letters) -> NDArray[Any]:
    """The characters of a sample that pay for their cells. No score hangs on them, only speed."""
    sides = (left.chars, right.chars)
    sample = np.concatenate([side[:: len(side) // 2048 + 1] for side in sides])
    counts = np.bincount(sample)
    often = np.flatnonzero(counts > len(sample) / 250)
    most = int((4 * sum(map(len, sides)) / len(left.sizes)) ** 0.5)  # 4 cells for a character
    return often[np.argsort(-counts[often])][: min(MOST_COMMON, most)]


def _count(side: _Letters, common: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """A table a row of the pairs of common characters, and where the other pairs are."""
    rows, base, cells = len(side.sizes), len(common), len(common) ** 2
    places = np.full(int(common.max(initial=0)) + 2, base, np.uint8)
    places[common] = np.arange(base)
    symbols = places.take(side.chars, mode="clip")  # the last place is never a common character's
    rare = (symbols[:-1] == base) | (symbols[1:] == base)
    last = side.bounds[1:][side.sizes > 0][:-1] - 1  # would pair with the next row's first
    rare[last] = False
    others = np.flatnonzero(rare)
    keys = np.repeat(np.arange(rows) * cells, side.sizes)[: len(rare)]
    keys += symbols[:-1] * np.uint16(base) + symbols[1:]
    keys[others] = keys[last] = rows * cells  # the cell past all tables
    return np.bincount(keys, minlength=rows * cells + 1)[:-1].reshape(rows, cells), others


def _shared(left: NDArray[Any], right: NDArray[Any], rows: int) -> NDArray[Any]:
    """What two multisets of keys share, by row: sorted into one, the side in the last bit."""
    both = np.sort(np.concatenate([left << 1, right << 1 | 1]))
    starts = np.flatnonzero(np.diff(both >> 1, prepend=-1))
    sizes, on_right = np.diff(starts, append=len(both)), np.add.reduceat(both & 1, starts)
    return np.bincount(both[starts] >> 43, np.minimum(on_right, sizes - on_right), rows)


def _score(shared: NDArray[Any], left: _Letters, right: _Letters) -> Floats:
    """The formula; `right` may be one text for all rows."""
    sizes = left.sizes + right.sizes
    scores = np.zeros(len(sizes))
    np.divide(2.0 * shared, sizes - 2, out=scores, where=sizes > 2)
    scores[sizes == 0] = 1.0
    single = np.flatnonzero((left.sizes == 1) & (right.sizes == 1))
    starts = np.broadcast_to(right.bounds[:-1], sizes.shape)[single]
    scores[single] = left.chars[left.bounds[single]] == right.chars[starts]
    return scores
