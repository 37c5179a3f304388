"""Sørensen-Dice similarity: the share of neighbouring character pairs that two texts share.

A text without its white space is a multiset of overlapping pairs of code points. Two texts score
`2 * shared / all pairs`; equal ones 1.0, else ones too short for a pair 0.0. Case counts, callers
fold; a null is "". Source: npm `string-similarity` 4.0.4, which pairs UTF-16 units instead.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from batcheval.checks.shared_pairs import PairCounter

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BLOCK_BYTES = 1 << 19  # scored at once: spreads the overhead of calls, and stays in cache
BLANK = np.zeros(1 << 16, bool)  # by code point; any above is clipped to the last
BLANK[[*range(9, 14), 0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029]] = True
BLANK[[0x202F, 0x205F, 0x3000, 0xFEFF]] = True

# What ends a text, unlike on either side, so that pairs with it are never shared.
_ENDS = ("\x80", "\x81")  # where all is ASCII
_WIDE_ENDS = ("\ud800", "\ud801")  # which no text of polars holds


class _Letters(NamedTuple):
    """Texts without white space, each with its end: text i is `chars[bounds[i]:bounds[i + 1]]`."""

    chars: NDArray[Any]  # uint8 where all is ASCII, else uint32
    bounds: Ints

    @property
    def sizes(self) -> Ints:
        return np.diff(self.bounds) - 1


def dice(left: pl.Series, right: pl.Series) -> Floats:
    """Score two columns of texts in 0..1, row against row; a ValueError if their lengths differ.

    Example:
        >>> dice(pl.Series(["aaaa", "a b"]), pl.Series(["aa", "ab"])).tolist()
        [0.5, 1.0]
    """
    if len(left) != len(right):
        raise ValueError(f"{len(left)} texts against {len(right)}")
    texts = [side.cast(pl.String).fill_null("") for side in (left, right)]
    weights = texts[0].str.len_bytes() + texts[1].str.len_bytes()
    lengths = texts[0].str.len_chars() + texts[1].str.len_chars()
    counter, scores = PairCounter(), np.empty(len(left))
    for rows, (one, two), ends in _blocks(texts, weights, weights == lengths):
        scores[rows] = _score(counter, _letters(one, ends[0]), _letters(two, ends[1]))
    return scores


def dice_to(literal: str) -> Callable[[pl.Series], Floats]:
    """Prepare one text of any length: the result, thread-safe, scores columns against it in 0..1.

    Example:
        >>> dice_to("nacht")(pl.Series(["night", "Nacht", None])).tolist()
        [0.25, 0.75, 0.0]
    """
    kinds = (_ENDS, _WIDE_ENDS) if literal.isascii() else (_WIDE_ENDS,)
    lone = {ends: _letters(pl.Series([literal]), ends[1]) for ends in kinds}

    def score(texts: pl.Series) -> Floats:
        texts = texts.cast(pl.String).fill_null("")
        counter, scores = PairCounter(), np.empty(len(texts))
        weights = texts.str.len_bytes()
        is_ascii = (weights == texts.str.len_chars()) & literal.isascii()
        for rows, (many,), ends in _blocks([texts], weights + len(literal), is_ascii):
            scores[rows] = _score(counter, _letters(many, ends[0]), lone[ends])
        return scores

    return score


def _blocks(
    sides: list[pl.Series], weights: pl.Series, is_ascii: pl.Series
) -> Iterator[tuple[Ints, list[pl.Series], tuple[str, str]]]:
    """Rows to be scored at once, their texts, and the ends of these: pure ASCII is kept apart."""
    for narrow, ends in ((True, _ENDS), (False, _WIDE_ENDS)):
        rows = np.flatnonzero((is_ascii == narrow).to_numpy())
        texts = sides if len(rows) == len(weights) else [side.gather(rows) for side in sides]
        places = np.cumsum(weights.to_numpy()[rows].astype(np.int64) + 512) // BLOCK_BYTES
        cuts = np.flatnonzero(np.diff(places, prepend=-1, append=-1))
        for start, stop in pairwise(cuts.tolist()):
            yield rows[start:stop], [side[start:stop] for side in texts], ends


def _letters(texts: pl.Series, end: str) -> _Letters:
    text = end.join([*texts.to_list(), ""])  # `str.join` of a Series runs a query each time
    if end in _ENDS:
        chars: NDArray[Any] = np.frombuffer(text.encode("latin-1"), np.uint8)
    else:
        chars = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    kept = (chars != 0x20) & (chars - 9 > 4)  # unsigned: below 9 wraps to large
    if end in _WIDE_ENDS:
        beyond = np.flatnonzero(chars > 0x7F)
        kept[beyond] = ~BLANK.take(chars[beyond], mode="clip")
    chars = pl.Series(chars).filter(pl.Series(kept)).to_numpy()  # four times as fast as numpy's
    return _Letters(chars, np.append(0, np.flatnonzero(chars == ord(end)) + 1))


def _score(counter: PairCounter, left: _Letters, right: _Letters) -> Floats:
    """The formula; `right` may be one text for all rows."""
    shared = counter.shared((left.chars, right.chars), (left.bounds, right.bounds))
    sizes = left.sizes + right.sizes
    scores = np.zeros(len(sizes))
    np.divide(2.0 * shared, sizes - 2, out=scores, where=sizes > 2)
    scores[sizes == 0] = 1.0
    single = np.flatnonzero((left.sizes == 1) & (right.sizes == 1))
    starts = np.broadcast_to(right.bounds[:-1], len(sizes))[single]
    scores[single] = left.chars[left.bounds[single]] == right.chars[starts]
    return scores
