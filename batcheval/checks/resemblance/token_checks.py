"""Checks of how alike two texts are whatever the order of their words: rapidfuzz's ratios."""

import polars as pl

from batcheval.checks.resemblance.characters import TOKEN_SET, TOKEN_SORT
from batcheval.checks.resemblance.reports import Asked, Expected, Form, resemblance
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, check

__all__ = ["token_set_ratio", "token_sort_ratio"]


@check
def token_sort_ratio(
    expected: Expected,
    *,
    threshold: float | None = None,
    ignore_case: bool = False,
    normalize: Form | None = None,
    several: bool = False,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """How alike the output and `expected` are once the words of each are sorted: 1.0 is equal.

    The Indel ratio (`indel_ratio`) of the words, parted by white space, in order of their
    characters (`fuzz.token_sort_ratio` in rapidfuzz). Equal texts score 1.0, empty ones too. Long
    texts are unscored as in `jaro_winkler`.

    Details: `score`, before the threshold; `reference`, the place from 0 of the nearest reference.

    Args:
        expected: as in `levenshtein`, and the arguments below too.
        threshold: turns the score into 1.0 where it is reached, else 0.0.
        ignore_case: compare in lower case.
        normalize: bring both texts to this form of Unicode first.
        several: texts in a column are JSON lists of texts.
        on: the text to compare instead of the output.

    Raises:
        BadArgumentError: `threshold` is outside 0..1, or an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["fuzzy wuzzy was a bear"]})
        >>> traces.select(token_sort_ratio("wuzzy fuzzy was a bear").score).item()
        1.0
    """
    return resemblance(TOKEN_SORT, expected, Asked(threshold, several, on, normalize, ignore_case))


@check
def token_set_ratio(
    expected: Expected,
    *,
    threshold: float | None = None,
    ignore_case: bool = False,
    normalize: Form | None = None,
    several: bool = False,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """How alike the distinct words of the output and of `expected` are: 1.0 if one has the other's.

    The best Indel ratio among three texts: the words in common, and these with the rest of either
    side, each sorted (`fuzz.token_set_ratio` in rapidfuzz). Where one side's words are all on the
    other the score is 1.0. Equal texts score 1.0, empty ones too (where rapidfuzz gives 0). Long
    texts are unscored as in `jaro_winkler`.

    Details: `score`, before the threshold; `reference`, the place from 0 of the nearest reference.

    Args:
        expected: as in `levenshtein`, and the arguments below too.
        threshold: turns the score into 1.0 where it is reached, else 0.0.
        ignore_case: compare in lower case.
        normalize: bring both texts to this form of Unicode first.
        several: texts in a column are JSON lists of texts.
        on: the text to compare instead of the output.

    Raises:
        BadArgumentError: `threshold` is outside 0..1, or an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["fuzzy fuzzy was a bear", "a bear"]})
        >>> traces.select(token_set_ratio("fuzzy was a bear").score).to_series().to_list()
        [1.0, 1.0]
    """
    return resemblance(TOKEN_SET, expected, Asked(threshold, several, on, normalize, ignore_case))
