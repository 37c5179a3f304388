"""Checks of how much of what was asked an output covers."""

import polars as pl

from batcheval.checks.operands import column, flag, other_text
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, batched, check

__all__ = ["completeness"]


@check
def completeness(
    *, against: str | pl.Expr = "input", split_camel_case: bool = False, on: pl.Expr = OUTPUT
) -> Verdict:
    """The share of the input's key elements that the output covers.

    Args:
        against: x.
        split_camel_case: x.
        on: x.
    """
    flag("split_camel_case", split_camel_case)

    def score(wanted: pl.Series, offered: pl.Series):
        from batcheval.checks.elements.kernel import scores
        return scores(wanted, offered, split_camel_case)

    wanted, text = other_text("against", against), column("on", on)
    both = wanted.is_not_null() & text.is_not_null()
    return Verdict(pl.when(both).then(batched(score, wanted, text)))
