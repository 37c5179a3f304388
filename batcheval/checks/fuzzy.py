"""Checks of how alike two texts are."""

import polars as pl

from batcheval.checks.bigrams import dice, dice_to
from batcheval.checks.edits import changes, ratio
from batcheval.checks.operands import (
    column,
    flag,
    fold,
    operand,
    other_text,
    quote,
    sentence,
    share,
    subject,
)
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, batched, check, passed

__all__ = ["content_similarity", "similarity", "textual_difference"]


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


@check
def content_similarity(
    *,
    against: str | pl.Expr = "input",
    ignore_case: bool = True,
    ignore_whitespace: bool = True,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """How alike the output and `against` are, by their pairs of characters: 1.0 is equal.

    The Sørensen-Dice coefficient of `similarity`, held against the input by default. After the
    content similarity scorer in Mastra's evals. Details: `similarity`.

    Args:
        against: "input", "output" or "expected" for the text in that column, or any other text;
            or an expression with one per row. A row where it is null is unscored.
        ignore_case: compare in lower case, as in `includes`.
        ignore_whitespace: without effect, since white space is never compared.
        on: the text to compare instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"input": ["Good night"], "output": ["good-night"]})
        >>> traces.select(content_similarity().score).to_series().to_list()
        [0.8235294117647058]
    """
    flag("ignore_whitespace", ignore_whitespace)
    text, wanted = fold(column("on", on), ignore_case), other_text("against", against)
    is_literal = isinstance(against, str) and not wanted.meta.root_names()
    alike = _alike(text, fold(wanted, ignore_case), is_literal)
    found = "{} has a similarity of {} to {}, 1.0 is equal"
    reason = sentence(alike, found, subject(on), alike.round(3).cast(pl.String), quote(wanted))
    return Verdict(alike, pl.struct(similarity=alike), reason)


@check
def textual_difference(*, against: str | pl.Expr = "input", on: pl.Expr = OUTPUT) -> Verdict:
    """The share of characters that the output and `against` have in common: 1.0 is equal.

    Twice the length of the longest common subsequence by the length of both texts, case and white
    space included; 0.0 if one is empty, 1.0 if both are. After the textual difference scorer in
    Mastra's evals.

    Details: `ratio`, the score; `changes`, the number of words in the longer text that the other
    lacks; `length_diff`, the difference in length by the longer, and `confidence`, 1 less that.

    Args:
        against: as in `content_similarity`.
        on: the text to compare instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"input": ["It is sunny"], "output": ["It was sunny"]})
        >>> traces.select(textual_difference().score.round(3)).to_series().to_list()
        [0.87]
    """
    text, wanted = column("on", on), other_text("against", against)
    both = text.is_not_null() & wanted.is_not_null()
    alike = pl.when(both).then(batched(ratio, wanted, text))
    changed = pl.when(both).then(batched(changes, wanted, text)).cast(pl.Int64)
    sizes = [side.str.len_chars().cast(pl.Float64) for side in (wanted, text)]
    longer = pl.max_horizontal(*sizes, 1)  # 1 where both are empty
    differ = (sizes[0] - sizes[1]).abs() / longer
    details = pl.struct(ratio=alike, changes=changed, length_diff=differ, confidence=1 - differ)
    found = "{} has a ratio of {} to {} (words changed: {}), 1.0 is equal"
    parts = (alike.round(3).cast(pl.String), quote(wanted), changed)
    return Verdict(alike, details, sentence(alike, found, subject(on), *parts))


def _alike(text: pl.Expr, wanted: pl.Expr, is_literal: bool) -> pl.Expr:
    if is_literal:
        literal = pl.select(wanted).item()
        return pl.when(text.is_not_null()).then(batched(dice_to(literal), text))
    both = text.is_not_null() & wanted.is_not_null()
    return pl.when(both).then(batched(dice, text, wanted))
