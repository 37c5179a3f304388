"""Measures of how alike two texts are, character by character or by their words: rapidfuzz's.

Sources: Levenshtein 1966; Jaro 1989, Winkler 1990; the ratios of fuzzywuzzy, as `rapidfuzz` has
them. A character is a code point. Texts that are equal score 1.0, empty ones too.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
import polars as pl
from rapidfuzz import fuzz
from rapidfuzz.distance import Indel, JaroWinkler, Levenshtein
from rapidfuzz.process import cpdist

from batcheval.checks.resemblance.batches import Measure, Numbers

# What two texts cost at most, in pairs of characters; from there on they are long.
MOST: Final = 1 << 34
MOST_WINDOWS: Final = 1 << 30  # words of 64 bits that `partial_ratio` goes through

_NEAR: Final = (10, 6)  # long texts that differ in a 1024th, or a 64th, are soon compared


def _cost(left: Numbers, right: Numbers) -> Numbers:
    return left * right


def _cost_of_windows(left: Numbers, right: Numbers) -> Numbers:
    """A window of the shorter text's length at each place of the longer one."""
    shorter, longer = np.minimum(left, right), np.maximum(left, right)
    return (longer + shorter) * shorter * np.ceil(shorter / 64) * (MOST / MOST_WINDOWS)


def _measure(
    words: str,
    scorer: Callable[..., float],
    full: float = 1.0,
    cost: Callable[[Numbers, Numbers], Numbers] = _cost,
    distance: Callable[..., int] | None = None,
) -> Measure:
    """A measure out of a scorer of rapidfuzz whose best score is `full`."""

    def judge(texts: pl.Series, others: pl.Series) -> Numbers:
        equal = (texts == others).to_numpy()
        sizes = (side.str.len_chars().to_numpy().astype(np.float64) for side in (texts, others))
        is_long = cost(*sizes) > MOST
        skipped = pl.Series(equal | is_long)
        sides = (side.set(skipped, "").to_list() for side in (texts, others))
        scores = cpdist(*sides, scorer=scorer, dtype=np.float64) / full
        scores[equal] = 1.0
        for row in np.flatnonzero(is_long & ~equal).tolist():
            scores[row] = _of_long(texts[row], others[row], distance)
        return np.clip(scores, 0.0, 1.0)[:, None]

    return Measure(words, judge)


def _of_long(left: str, right: str, distance: Callable[..., int] | None) -> float:
    """The similarity if it is soon found, else NaN."""
    if distance is not None:
        most = len(left) + len(right) if distance is Indel.distance else max(len(left), len(right))
        for bits in _NEAR:
            allowed = max(len(left), len(right)) >> bits
            found = distance(left, right, score_cutoff=allowed)
            if found <= allowed:
                return 1 - found / most
    return float("nan")


LEVENSHTEIN: Final = _measure(
    "a Levenshtein similarity",
    Levenshtein.normalized_similarity,
    distance=Levenshtein.distance,
)
INDEL: Final = _measure("an Indel ratio", Indel.normalized_similarity, distance=Indel.distance)
JARO_WINKLER: Final = _measure("a Jaro-Winkler similarity", JaroWinkler.similarity)
TOKEN_SORT: Final = _measure("a token sort ratio", fuzz.token_sort_ratio, 100.0)
TOKEN_SET: Final = _measure("a token set ratio", fuzz.token_set_ratio, 100.0)
PARTIAL: Final = _measure("a partial ratio", fuzz.partial_ratio, 100.0, _cost_of_windows)
