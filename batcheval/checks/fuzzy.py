"""Checks of how alike two texts are."""

import polars as pl

from batcheval.checks.bigrams import dice, dice_to
from batcheval.checks.operands import column, fold, operand, quote, sentence, share, subject
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, batched, check, passed

__all__ = ["similarity"]


@check
def similarity(
    expected: str | pl.Expr,
    *,
    threshold: float | None = None,
    ignore_case: bool = True,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """How alike the output and `expected` are: 0.0 shares nothing, 1.0 is equal.

    The Sørensen-Dice coefficient over neighbouring pairs of characters, white space removed:
    twice the shared pairs, repeats counted, by the pairs of both (Dice 1945, Sørensen 1948; after
    the quick check of the same name in Mastra's evals, but in code points). Two texts without any
    character are equal. Details: `score`, the similarity before the threshold.

    Args:
        expected: the text to resemble, which may be empty; or an expression with one per row,
            null where a row has no expectation, which leaves it unscored.
        threshold: in 0..1; turns the score into 1.0 where the similarity reaches it, else 0.0.
        ignore_case: compare in lower case, as in `includes`.
        on: the text to compare instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: `threshold` is outside 0..1, or an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["night", "nacht", "Night"]})
        >>> traces.select(similarity("nacht").score).to_series().to_list()
        [0.25, 1.0, 0.25]
        >>> traces.select(similarity("nacht", threshold=0.5).score).to_series().to_list()
        [0.0, 1.0, 0.0]
    """
    least = None if threshold is None else share("threshold", threshold)
    text, wanted = fold(column("on", on), ignore_case), operand("expected", expected)
    alike = _alike(text, fold(wanted, ignore_case), isinstance(expected, str))
    asked = "1.0 is equal" if least is None else f"and should be at least {least}"
    found = "{} has a similarity of {} to {}, " + asked
    reason = sentence(alike, found, subject(on), alike.round(3).cast(pl.String), quote(wanted))
    details = pl.struct(score=alike)
    if least is None:
        return Verdict(alike, details, reason)
    return passed(alike >= least, details, reason)


def _alike(text: pl.Expr, wanted: pl.Expr, is_literal: bool) -> pl.Expr:
    if is_literal:
        literal = pl.select(wanted).item()
        return pl.when(text.is_not_null()).then(batched(dice_to(literal), text))
    both = text.is_not_null() & wanted.is_not_null()
    return pl.when(both).then(batched(dice, text, wanted))
