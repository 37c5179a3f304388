"""Checks of how many characters must be edited to make one text of another."""

import polars as pl

from batcheval.checks.resemblance.characters import INDEL, LEVENSHTEIN
from batcheval.checks.resemblance.reports import Asked, Expected, Form, resemblance
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, check

__all__ = ["indel_ratio", "levenshtein"]


@check
def levenshtein(
    expected: Expected,
    *,
    threshold: float | None = None,
    ignore_case: bool = False,
    normalize: Form | None = None,
    several: bool = False,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The normalised Levenshtein similarity of the output and `expected`: 1.0 is equal.

    1 less the least number of characters to insert, delete or replace, by the length of the longer
    text (Levenshtein 1966; `Levenshtein.normalized_similarity` in rapidfuzz). Characters are code
    points. Equal texts score 1.0, empty ones too. Two texts whose lengths multiply to more than
    2^34, as two of 130,000 characters do, are unscored unless they differ in a 64th at most.

    Details: `score`, before the threshold; `reference`, the place from 0 of the nearest reference.

    Args:
        expected: the text to resemble, which may be empty; several of which the nearest counts; or
            an expression with either per row, null where a row has none, which leaves it unscored.
        threshold: in 0..1; turns the score into 1.0 where the similarity reaches it, else 0.0.
        ignore_case: compare in lower case, as in `includes`.
        normalize: bring both texts to this form of Unicode first.
        several: texts in a column are JSON lists of texts; a row with anything else is unscored.
            (A column of lists needs no word.)
        on: the text to compare instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: `threshold` is outside 0..1, or an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["kitten", "Kitten"]})
        >>> traces.select(levenshtein("mitten", ignore_case=True).score.round(3)).to_series()[1]
        0.833
        >>> traces.select(levenshtein(["sitting", "kitten"]).score).to_series()[0]
        1.0
    """
    return resemblance(LEVENSHTEIN, expected, Asked(threshold, several, on, normalize, ignore_case))


@check
def indel_ratio(
    expected: Expected,
    *,
    threshold: float | None = None,
    ignore_case: bool = False,
    normalize: Form | None = None,
    several: bool = False,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The Indel ratio of the output and `expected`: 1.0 is equal.

    1 less the least number of characters to insert or delete, by the length of both texts; as
    many call it, the "edit-distance ratio" (`Indel.normalized_similarity`, `fuzz.ratio` in
    rapidfuzz). Equal texts score 1.0, empty ones too. Long texts as in `levenshtein`.

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
        >>> traces = pl.DataFrame({"output": ["night", "nights"]})
        >>> traces.select(indel_ratio("nacht").score.round(3)).to_series().to_list()
        [0.6, 0.545]
    """
    return resemblance(INDEL, expected, Asked(threshold, several, on, normalize, ignore_case))
