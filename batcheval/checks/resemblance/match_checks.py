"""Checks of how well two texts match in part."""

import polars as pl

from batcheval.checks.resemblance.characters import JARO_WINKLER, PARTIAL
from batcheval.checks.resemblance.reports import Asked, Expected, Form, resemblance
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, check

__all__ = ["jaro_winkler", "partial_ratio"]


@check
def jaro_winkler(
    expected: Expected,
    *,
    threshold: float | None = None,
    ignore_case: bool = False,
    normalize: Form | None = None,
    several: bool = False,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The Jaro-Winkler similarity of the output and `expected`: 1.0 is equal.

    The mean of the shares of characters that match nearby and of matches in order (Jaro 1989),
    raised by 0.1 for each of the first four characters in common where it is over 0.7 (Winkler
    1990; `JaroWinkler.similarity` in rapidfuzz). Meant for names, not for long texts. Equal texts
    score 1.0, empty ones too. Two texts whose lengths multiply to more than 2^34 are unscored.

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
        >>> traces = pl.DataFrame({"output": ["MARTHA"]})
        >>> traces.select(jaro_winkler("MARHTA").score.round(4)).item()
        0.9611
    """
    return resemblance(
        JARO_WINKLER, expected, Asked(threshold, several, on, normalize, ignore_case)
    )


@check
def partial_ratio(
    expected: Expected,
    *,
    threshold: float | None = None,
    ignore_case: bool = False,
    normalize: Form | None = None,
    several: bool = False,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """How alike `expected` is to its best match inside the output: 1.0 is in it.

    The best Indel ratio of the shorter text, whichever it is, to any stretch of the longer one of
    its length at most (`fuzz.partial_ratio` in rapidfuzz). Equal texts score 1.0, empty ones too.
    The time grows with the cube of the lengths: two texts of 200 words each take some
    milliseconds, and a pair that would need more than 2^30 steps, as two of 3,200 characters do
    (a step: 64 characters against one), is unscored. An expected text of up to 64 characters may
    be sought in megabytes.

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
        >>> traces = pl.DataFrame({"output": ["It will be suny today"]})
        >>> traces.select(partial_ratio("be sunny").score.round(3)).item()
        0.875
    """
    return resemblance(PARTIAL, expected, Asked(threshold, several, on, normalize, ignore_case))
