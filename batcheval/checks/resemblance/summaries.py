"""ROUGE of single texts, by n-grams of words or by their longest common subsequence (Lin 2004)."""

from itertools import pairwise
from typing import Final

import numpy as np
import polars as pl
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cpdist

from batcheval.checks.resemblance.batches import Measure, Numbers
from batcheval.checks.resemblance.ngrams import Shared, shared
from batcheval.checks.resemblance.overlaps import PARTS, f_measure, in_blocks, same
from batcheval.checks.resemblance.splits import rouge, words
from batcheval.checks.resemblance.tokens import Split, Tokens, numbered

SPLITS: Final[dict[bool, Split]] = {False: rouge, True: words}  # by whether all of Unicode counts
_MOST: Final = 1 << 34  # pairs of tokens that a longest common subsequence is sought among


def rouge_n(length: int, split: Split) -> Measure:
    """ROUGE-N of n-grams of that length."""

    def judge(texts: pl.Series, others: pl.Series) -> Numbers:
        sides, size = numbered([texts, others], split)
        *_, counts = shared(sides, size, length)
        return _without_words(f_measure(counts, same(*sides)), sides, (texts, others))

    return Measure(f"a ROUGE-{length} score", in_blocks(judge, 3), PARTS)


def rouge_l(split: Split) -> Measure:
    """ROUGE-L: the longest common subsequence of words."""

    def judge(texts: pl.Series, others: pl.Series) -> Numbers:
        sides, _ = numbered([texts, others], split)
        left, right = (side.sizes for side in sides)
        is_long = left * right > _MOST
        spelled = [_as_texts(side) for side in sides]
        kept = [np.where(is_long, "", np.array(side, object)).tolist() for side in spelled]
        both = cpdist(*kept, scorer=LCSseq.similarity, dtype=np.int64)
        numbers = f_measure(Shared(both, left, right), same(*sides))
        numbers[is_long] = np.nan
        return _without_words(numbers, sides, (texts, others))

    return Measure("a ROUGE-L score", in_blocks(judge, 3), PARTS)


def _as_texts(side: Tokens) -> list[str]:
    """Each token as a character of its own, for which subsequences are fast."""
    codes = (side.ids + 1 + 0x800 * (side.ids + 1 >= 0xD800)).astype("<u4")
    text = codes.tobytes().decode("utf-32-le")
    ends = side.bounds.tolist()
    return [text[start:end] for start, end in pairwise(ends)]


def _without_words(
    numbers: Numbers, sides: list[Tokens], texts: tuple[pl.Series, pl.Series]
) -> Numbers:
    """Without words on either side, one that says nothing is unlike one that does; else unknown."""
    says = [side.str.contains(r"[^\s\x1c-\x1f]").to_numpy() for side in texts]
    nothing = (sides[0].sizes == 0) & (sides[1].sizes == 0)
    numbers[nothing & (says[0] != says[1])] = 0.0
    numbers[nothing & says[0] & says[1]] = np.nan
    return numbers
