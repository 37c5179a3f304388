"""Checks of texts against reference summaries: ROUGE."""

import polars as pl

from batcheval.checks.operands import flag, whole
from batcheval.checks.resemblance.reports import Asked, Expected, Form, resemblance
from batcheval.checks.resemblance.summaries import SPLITS
from batcheval.checks.resemblance.summaries import rouge_l as rouge_l_of
from batcheval.checks.resemblance.summaries import rouge_n as rouge_n_of
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, check

__all__ = ["rouge_l", "rouge_n"]

_LONGEST = 9


@check
def rouge_n(
    expected: Expected,
    *,
    n: int = 1,
    unicode: bool = False,
    threshold: float | None = None,
    normalize: Form | None = None,
    several: bool = False,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The ROUGE-N F measure of the output against `expected`, from 0.0 to 1.0.

    The harmonic mean of precision and recall of n-grams of words in lower case (Lin 2004), as
    `rouge-score` without its stemmer. Texts too short for an n-gram score 1.0 if they have the
    same words, else 0.0 (in rouge-score always 0). Where both texts say something, but neither in
    words, as is so of Chinese without `unicode`, a row is unscored.

    Details: `score`, before the threshold; `precision`, `recall`; `reference`, the place from 0 of
    the nearest reference.

    Args:
        expected: as in `levenshtein`, and the arguments below too.
        n: how many words an n-gram has, 1 to 9.
        unicode: words are runs of letters and digits of any script, and each character of Han,
            Hiragana or Katakana is one; else runs of a-z and 0-9, as in rouge-score.
        threshold: turns the score into 1.0 where it is reached, else 0.0.
        normalize: bring both texts to this form of Unicode first.
        several: texts in a column are JSON lists of texts.
        on: the text to compare instead of the output.

    Raises:
        BadArgumentError: `threshold` is outside 0..1, `n` outside 1..9, or an argument is of the
            wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["the cat sat on the mat"]})
        >>> traces.select(rouge_n("the cat was on the mat", n=2).score).item()
        0.6
    """
    measure = rouge_n_of(whole("n", n, 1, _LONGEST), SPLITS[flag("unicode", unicode)])
    return resemblance(measure, expected, Asked(threshold, several, on, normalize))


@check
def rouge_l(
    expected: Expected,
    *,
    unicode: bool = False,
    threshold: float | None = None,
    normalize: Form | None = None,
    several: bool = False,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The ROUGE-L F measure of the output against `expected`, from 0.0 to 1.0.

    The harmonic mean of precision and recall of the longest common subsequence of words in lower
    case (Lin 2004), as `rouge-score` without its stemmer. Two texts without words are scored as in
    `rouge_n`; two whose numbers of words multiply to more than 2^34 are unscored.

    Details: `score`, before the threshold; `precision`, `recall`; `reference`, the place from 0 of
    the nearest reference.

    Args:
        expected: as in `levenshtein`, and the arguments below too.
        unicode: as in `rouge_n`.
        threshold: turns the score into 1.0 where it is reached, else 0.0.
        normalize: bring both texts to this form of Unicode first.
        several: texts in a column are JSON lists of texts.
        on: the text to compare instead of the output.

    Raises:
        BadArgumentError: `threshold` is outside 0..1, or an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["the cat sat on the mat"]})
        >>> traces.select(rouge_l("on the mat sat the cat").score).item()
        0.5
    """
    measure = rouge_l_of(SPLITS[flag("unicode", unicode)])
    return resemblance(measure, expected, Asked(threshold, several, on, normalize))
