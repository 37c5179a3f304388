"""The sentiment of texts: the mean value of their words, by AFINN-165 and the emoji ranking.

A word's value is turned round by a negator just before it. This is the `comparative` of npm
`sentiment` 5.0.2. Case counts, callers fold; a null is "".
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from batcheval.checks.tokens import MARK, Places, Tokens, tokens
from batcheval.checks.wordlists import NEGATORS, values
from batcheval.checks.words import blocks

Floats = NDArray[np.float64]
_BLOCK_BYTES = 1 << 20
_FIRST = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)  # bytes out of eight


def sentiment(texts: pl.Series) -> Floats:
    """The sentiment of each text as a whole, in -5..5.

    Example:
        >>> sentiment(pl.Series(["so happy", "not good"])).tolist()
        [1.5, -1.5]
    """
    scores = np.zeros(len(texts))
    for cut in blocks(_BLOCK_BYTES, texts):
        found = tokens(texts[cut])
        places = np.searchsorted(found.starts, found.bounds)
        scores[cut] = _score(found, places[:-1], places[1:])
    return scores


def sentiments(left: pl.Series, right: pl.Series) -> tuple[Floats, Floats]:
    """The sentiment of two columns of texts."""
    return sentiment(left), sentiment(right)


def swings(texts: pl.Series) -> tuple[Floats, Floats]:
    """The mean and the variance of the sentiment of each text's sentences.

    A sentence ends with one or more of `.!?`. What follows the last of them is left out, unless
    there is no sentence: then the whole text is one.

    Example:
        >>> means, variances = swings(pl.Series(["good. bad! so"]))
        >>> means.tolist(), variances.tolist()
        ([0.0], [9.0])
    """
    means, variances = np.zeros((2, len(texts)))
    for cut in blocks(_BLOCK_BYTES, texts):
        found = tokens(texts[cut])
        rows, first, last = _sentences(found)
        scores, counts = _score(found, first, last), np.bincount(rows)
        means[cut] = mean = np.bincount(rows, scores) / counts
        variances[cut] = np.bincount(rows, (scores - mean[rows]) ** 2) / counts
    return means, variances


def _sentences(found: Tokens) -> tuple[Places, Places, Places]:
    """The row of each sentence, its first token and the one after its last; every row has one."""
    marks, bounds = found.kinds == MARK, found.bounds
    edges = np.flatnonzero(marks[1:] != marks[:-1]) + 1
    firsts, ends = edges[::2], edges[1::2]  # of each run of marks
    rows = np.searchsorted(bounds, firsts, "right") - 1
    closes = firsts > bounds[rows] + 1  # marks that begin a text close nothing
    rows, ends = rows[closes], ends[closes]
    bare = np.flatnonzero(np.bincount(rows, minlength=len(bounds) - 1) == 0)
    rows = np.sort(np.append(rows, bare), kind="stable")
    ends = np.sort(np.append(ends, bounds[bare + 1]), kind="stable")
    last = np.searchsorted(found.starts, ends)
    begin = np.searchsorted(found.starts, bounds)[rows]
    return rows, np.maximum(np.append(0, last[:-1]), begin), last


def _score(found: Tokens, first: Places, last: Places) -> Floats:
    """The sentiment of stretches of tokens that are in order and do not overlap."""
    lexicon = _lexicon()
    places, ids = _known(found, lexicon)
    owners = np.searchsorted(last, places, "right")
    inside = np.append(first, len(found.starts))[owners] <= places
    places, ids, owners = places[inside], ids[inside], owners[inside]
    values = lexicon.values[ids]
    negated = (np.diff(places) == 1) & (np.diff(owners) == 0) & lexicon.negates[ids[:-1]]
    values[1:][negated] *= -1
    scores: Floats = np.bincount(owners, values, len(first)) / np.maximum(last - first, 1)
    return scores


class _Lexicon(NamedTuple):
    """The words that count, sorted by their bytes, and what is known of each."""

    words: NDArray[np.bytes_]
    sizes: Places
    values: Floats
    negates: NDArray[np.bool_]
    begun: NDArray[np.bool_]  # by a hash of eight bytes: may a word begin so?


@cache
def _lexicon() -> _Lexicon:
    valued = dict.fromkeys(NEGATORS, 0) | values()
    spelled = sorted(valued, key=str.encode)
    words = np.array([word.encode() for word in spelled])
    sizes = np.strings.str_len(words)
    begun = np.zeros(1 << 18, np.bool_)
    begun[_hash(words.astype("S8").view("<u8"))] = True
    negates = [word in NEGATORS for word in spelled]
    scores = [float(valued[word]) for word in spelled]
    return _Lexicon(words, sizes, np.array(scores), np.array(negates), begun)


def _hash(eights: NDArray[np.uint64]) -> Places:
    mixed = eights * np.uint64(0x9E3779B97F4A7C15)
    mixed >>= np.uint64(46)
    return mixed.view(np.int64)  # as an index, unsigned numbers would be turned first


def _known(found: Tokens, lexicon: _Lexicon) -> tuple[Places, Places]:
    """Which tokens are words of the lexicon, and which words: few tokens are looked at in full."""
    sizes = found.ends - found.starts
    eights = np.ndarray(len(found.data) - 7, "<u8", found.data, strides=(1,))
    begins = eights[found.starts]
    begins &= _FIRST.take(sizes, mode="clip")
    places = np.flatnonzero(lexicon.begun[_hash(begins)])
    sizes, span = sizes[places], np.arange(lexicon.words.itemsize)
    letters = found.data[found.starts[places, None] + span]
    letters[span >= sizes[:, None]] = 0
    tokens = letters.view(lexicon.words.dtype).ravel()
    ids = np.minimum(np.searchsorted(lexicon.words, tokens), len(lexicon.words) - 1)
    known = (lexicon.words[ids] == tokens) & (lexicon.sizes[ids] == sizes)
    return places[known], ids[known]
