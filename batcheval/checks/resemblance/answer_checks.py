"""Checks of short answers, whatever their case, marks and articles."""

import polars as pl

from batcheval.checks.resemblance.overlaps import QUASI_EXACT, TOKEN_F1
from batcheval.checks.resemblance.reports import Asked, Expected, Form, resemblance
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, check

__all__ = ["quasi_exact_match", "token_f1"]


@check
def quasi_exact_match(
    expected: Expected,
    *,
    normalize: Form | None = None,
    several: bool = False,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The output is `expected` but for case, marks, articles and white space: 1.0, else 0.0.

    HELM's quasi-exact match: both are put in lower case, the punctuation of ASCII and the words
    "a", "an" and "the" are dropped, and white space counts as one space. Two texts of which
    nothing is left are equal (in HELM an empty output never is).

    Details: `score`; `reference`, the place from 0 of the reference that was matched, else 0.

    Args:
        expected: as in `levenshtein`, and the arguments below too.
        normalize: bring both texts to this form of Unicode first.
        several: texts in a column are JSON lists of texts.
        on: the text to compare instead of the output.

    Raises:
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["The Eiffel  Tower!", "Eiffel"]})
        >>> traces.select(quasi_exact_match("eiffel tower").score).to_series().to_list()
        [1.0, 0.0]
    """
    return resemblance(QUASI_EXACT, expected, Asked(None, several, on, normalize))


@check
def token_f1(
    expected: Expected,
    *,
    threshold: float | None = None,
    normalize: Form | None = None,
    several: bool = False,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """F1 of the words that the output and `expected` share, as in SQuAD: 1.0 has the same.

    The harmonic mean of precision and recall of words as multisets, normalised as in
    `quasi_exact_match`; then a character of Han, Hiragana or Katakana is a word of its own. Two
    texts without words score 1.0, one alone 0.0.

    Details: `score`, before the threshold; `precision`, `recall`; `reference`, the place from 0 of
    the nearest reference.

    Args:
        expected: as in `levenshtein`, and the arguments below too.
        threshold: turns the score into 1.0 where it is reached, else 0.0.
        normalize: bring both texts to this form of Unicode first.
        several: texts in a column are JSON lists of texts.
        on: the text to compare instead of the output.

    Raises:
        BadArgumentError: `threshold` is outside 0..1, or an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["It is the Eiffel Tower."]})
        >>> traces.select(token_f1("eiffel tower").score.round(3)).item()
        0.667
    """
    return resemblance(TOKEN_F1, expected, Asked(threshold, several, on, normalize))
