"""How far two texts differ: the longest common subsequence of their characters, and their words.

Source: the textual difference of Mastra's evals, in code points. A null is "".
"""

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cpdist

from batcheval.checks.words import blocks, likely, spaced

_BLOCK_BYTES = 1 << 22
_LONG = 1 << 30  # pairs of characters from which a pair of texts is worth a few attempts
_TEXT = pl.col("text")


def ratio(left: pl.Series, right: pl.Series) -> NDArray[np.float64]:
    """Twice the length of the longest common subsequence by both lengths, in 0..1; 1.0 is equal.

    The time grows with the product of the lengths where two long texts differ much.

    Example:
        >>> ratio(pl.Series(["night", ""]), pl.Series(["nacht", ""])).tolist()
        [0.6, 1.0]
    """
    left, right = left.fill_null(""), right.fill_null("")
    lengths = [side.str.len_chars().to_numpy().astype(np.int64) for side in (left, right)]
    is_long = lengths[0] * lengths[1] >= _LONG
    short = (side.set(pl.Series(is_long), "").to_list() for side in (left, right))
    shared = cpdist(*short, scorer=LCSseq.similarity, dtype=np.int64)
    for row in np.flatnonzero(is_long).tolist():
        shared[row] = _shared_of_long(left[row], right[row])
    scores, total = np.ones(len(left)), lengths[0] + lengths[1]
    np.divide(2 * shared, total, out=scores, where=total > 0)
    return scores


def _shared_of_long(left: str, right: str) -> int:
    """With few misses allowed the search is fast: texts that are alike need not go the long way."""
    longer = max(len(left), len(right))
    for misses in (longer >> 10, longer >> 6, longer >> 4):
        if shared := _shared(left, right, longer - misses):
            return shared
    return _shared(*_common(left, right), 0)


def _shared(left: str, right: str, least: int) -> int:
    """By way of `cpdist`, since that lets other threads run: an interrupt is heard meanwhile."""
    found = cpdist(
        [left], [right], scorer=LCSseq.similarity, dtype=np.int64, score_cutoff=least or None
    )
    return int(found[0])


def _common(left: str, right: str) -> tuple[str, str]:
    """Less the characters that only one has, the frequent ones as bytes, which are fast."""
    counts = Counter(left)
    counts &= Counter(right)
    codes = {ord(char): code for code, (char, _) in enumerate(counts.most_common())}
    table = {ord(char): codes.get(ord(char)) for char in {*left, *right}}
    return left.translate(table), right.translate(table)


def changes(left: pl.Series, right: pl.Series) -> NDArray[np.int64]:
    """How many words of the longer text the other lacks, wherever they stand and however often.

    1 where texts differ in white space alone.

    Example:
        >>> changes(pl.Series(["to be or not to be", "a"]), pl.Series(["to be", "a "])).tolist()
        [4, 1]
    """
    left, right = left.fill_null(""), right.fill_null("")
    counts = np.zeros(len(left), np.int64)
    for cut in blocks(_BLOCK_BYTES, left, right):
        counts[cut] = _changes(left[cut], right[cut])
    return counts


def _changes(left: pl.Series, right: pl.Series) -> NDArray[np.int64]:
    words, others = _words(left), _words(right)
    longer = np.maximum(
        *(np.bincount(side["row"], minlength=len(left)) for side in (words, others))
    )
    counts = (side.group_by("row", "word").len() for side in (words, likely(others, words)))
    both = next(counts).join(next(counts), on=["row", "word"])
    shared = both.select("row", pl.min_horizontal("len", "len_right"))
    found = longer - np.bincount(shared["row"], shared["len"], len(left)).astype(np.int64)
    rows = np.flatnonzero(found == 0)
    found[rows] = _differ_in_spaces(left[rows], right[rows])
    return found


def _words(texts: pl.Series) -> pl.DataFrame:
    lists = texts.to_frame("text").select(word=spaced(_TEXT).str.split(" ")).with_row_index("row")
    return lists.explode("word").filter(pl.col("word") != "")


def _differ_in_spaces(left: pl.Series, right: pl.Series) -> NDArray[Any]:
    bare = spaced(_TEXT).str.strip_chars(" ").str.replace_all(" +", " ")
    sides = [side.to_frame("text").select(bare).to_series() for side in (left, right)]
    return ((sides[0] == sides[1]) & (left != right)).to_numpy()
