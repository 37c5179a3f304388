"""Checks of how much of what was asked an output covers."""

from typing import Final

import polars as pl

from batcheval.checks.operands import column, flag, listing, other_text, subject
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, batched, check

__all__ = ["completeness"]

_LISTS = ("input_elements", "output_elements", "missing_elements", "uncovered")


@check
def completeness(
    *, against: str | pl.Expr = "input", split_camel_case: bool = False, on: pl.Expr = OUTPUT
) -> Verdict:
    """The share of the input's key elements that the output covers: 0.0 none, 1.0 all.

    Elements are the distinct words of a text, in lower case and without accents, but that verbs
    stand in the infinitive and their auxiliaries fall away: "The files were deleted" has `the`,
    `files`, `delete`. One of up to 3 letters is covered by itself only; a longer one also by an
    element that it contains or that contains it, where the shorter is more than 0.6 of the longer.
    1.0 if neither text has elements, 0.0 if only the input has none.

    After the scorer of the same name in Mastra's evals, which takes verbs from the JavaScript
    package `compromise`. Ours come from a model of what that package does to English texts, so
    that scores are close to its scores and mostly, not always, equal.

    Details: `input_elements` and `output_elements`, each once, as they first come in the text;
    `missing_elements`, the input's that are not *themselves* among the output's, as in the
    original: it may name some that others cover, even at a score of 1.0. (The reason names those
    that nothing covers.) `element_counts`: how many `input` and `output` have.

    Args:
        against: the text whose elements are to be covered: "input" or "expected" for that column,
            any other text for itself, or an expression with one per row, null where a row has no
            expectation, which leaves it unscored.
        split_camel_case: cut words such as `getUserName` at their capitals.
        on: the text that should cover them, instead of the output; where it is null a row is
            unscored.

    Raises:
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"input": ["The files were deleted"], "output": ["Delete files"]})
        >>> traces.select(completeness().score.round(2)).item()
        0.67
    """
    wanted, text = other_text("against", against), column("on", on)
    split = flag("split_camel_case", split_camel_case)
    both = wanted.is_not_null() & text.is_not_null()
    score = pl.when(both).then(_score(wanted, text, split))
    found = pl.when(both).then(_evidence(wanted, text, split))
    return Verdict(score, _details(found), _reason(score, found, wanted, on))


def _score(wanted: pl.Expr, text: pl.Expr, split: bool) -> pl.Expr:
    def completeness(asked: pl.Series, given: pl.Series) -> object:
        from batcheval.checks.elements.kernel import scores

        return scores(asked, given, split)

    return batched(completeness, wanted, text)


def _evidence(wanted: pl.Expr, text: pl.Expr, split: bool) -> pl.Expr:
    """A struct of lists: apart from the score, which is made without them much faster."""

    def lists(rows: pl.Series) -> pl.Series:
        from batcheval.checks.elements.evidence import evidence

        return evidence(rows.struct.field("0"), rows.struct.field("1"), split)

    dtype = pl.Struct(dict.fromkeys(_LISTS, pl.List(pl.String)))
    rows = pl.struct(wanted.alias("0"), text.alias("1"))
    return rows.map_batches(lists, return_dtype=dtype, is_elementwise=True)


def _details(found: pl.Expr) -> pl.Expr:
    counts = [pl.col(name).list.len().cast(pl.Int64) for name in _LISTS[:2]]
    named = [count.alias(side) for count, side in zip(counts, ("input", "output"), strict=True)]
    return _made(found, pl.struct(*_LISTS[:3], pl.struct(named).alias("element_counts")), _DETAILS)


def _reason(score: pl.Expr, found: pl.Expr, wanted: pl.Expr, on: pl.Expr) -> pl.Expr:
    asked, left = pl.col("input_elements"), pl.col("uncovered")
    numbers = asked.list.len() - left.list.len(), asked.list.len()
    name = wanted.meta.output_name(raise_if_undetermined=False)
    known = name in ("input", "output", "expected")
    other = f"the {name}" if known else "the text" if name in (None, "literal") else f"'{name}'"
    template = "{} covers {} of {} elements of {}; missing: {}"
    said = pl.format(template, subject(on), *numbers, pl.lit(other), listing(left))
    return pl.when(score.is_not_null()).then(_made(found, said, pl.String()))


def _made(found: pl.Expr, expr: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """An expression over the lists found; polars finds them once only if no field is taken out."""

    def made(rows: pl.Series) -> pl.Series:
        return rows.struct.unnest().select(expr.alias("x")).to_series()

    return found.map_batches(made, return_dtype=dtype, is_elementwise=True)


_TEXTS: Final = pl.List(pl.String)
_DETAILS: Final = pl.Struct(
    {
        **dict.fromkeys(_LISTS[:3], _TEXTS),
        "element_counts": pl.Struct({"input": pl.Int64, "output": pl.Int64}),
    }
)
