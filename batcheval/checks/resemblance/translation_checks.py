"""Checks of texts against reference translations, or any other references."""

import polars as pl

from batcheval.checks.resemblance.overlaps import CHRF
from batcheval.checks.resemblance.reports import Asked, Expected, Form, resemblance
from batcheval.checks.resemblance.translation import BLEU
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, check

__all__ = ["bleu", "chrf"]


@check
def bleu(
    expected: Expected,
    *,
    threshold: float | None = None,
    ignore_case: bool = False,
    normalize: Form | None = None,
    several: bool = False,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The sentence BLEU of the output against `expected`, from 0.0 to 1.0.

    The geometric mean of the precisions of n-grams of up to 4 tokens, times a penalty for brevity
    (Papineni et al. 2002), as `sacrebleu.sentence_bleu`: tokens of mteval-v13a, exponential
    smoothing, lengths of n-grams that the output lacks left out (effective order). Several
    references are one pool, as there. Two texts without tokens score 1.0 (where sacrebleu has 0).

    Details: `score`, before the threshold; `brevity_penalty`; `precision_1` to `precision_4`,
    smoothed; `reference`, which is 0.

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
        >>> traces = pl.DataFrame({"output": ["The dog bit the man.", "It was not unexpected."]})
        >>> one = bleu(["The dog bit the man.", "The dog had bit the man."])
        >>> traces.select(one.score.round(3)).to_series().to_list()
        [1.0, 0.087]
    """
    return resemblance(BLEU, expected, Asked(threshold, several, on, normalize, ignore_case))


@check
def chrf(
    expected: Expected,
    *,
    threshold: float | None = None,
    ignore_case: bool = False,
    normalize: Form | None = None,
    several: bool = False,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The chrF score of the output against `expected`, from 0.0 to 1.0.

    The F score, recall counting twice as much, of the mean precision and recall of character
    n-grams of 1 to 6, white space left out (Popović 2015), as `sacrebleu.sentence_chrf`. Two texts
    without characters score 1.0 (where sacrebleu has 0).

    Details: `score`, before the threshold; `precision`, `recall`; `reference`, the place from 0 of
    the nearest reference.

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
        >>> traces = pl.DataFrame({"output": ["The dog bit the man."]})
        >>> traces.select(chrf("The dog had bit the man.").score.round(3)).item()
        0.676
    """
    return resemblance(CHRF, expected, Asked(threshold, several, on, normalize, ignore_case))
