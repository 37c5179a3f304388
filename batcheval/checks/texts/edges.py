"""Checks of how a text begins, how it ends, and whether it is a given one."""

import polars as pl

from batcheval.checks.folding import Folding, Form
from batcheval.checks.literals import ends, same, sought, starts
from batcheval.checks.operands import column, operand, quote, sentence, subject
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, check, passed

__all__ = ["ends_with", "equals", "starts_with"]


@check
def starts_with(
    expected: str | pl.Expr,
    *,
    ignore_case: bool = True,
    casefold: bool = False,
    normalize: Form | None = None,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The output begins with `expected`, taken literally: 1.0, else 0.0.

    Nothing is trimmed. Details: `found`.

    Args:
        expected: the text to begin with, white space and all; or an expression with one per row,
            null or empty where a row has no expectation, which leaves it unscored.
        ignore_case: compare in lower case, as in `includes`.
        casefold: by case folding, likewise.
        normalize: in a normal form, likewise.
        on: the text to look at instead of the output; where it is null a row is unscored.

    Raises:
        BlankArgumentError: `expected` is the empty text.
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["Dear Ms. Li, ...", "So, dear ..."]})
        >>> traces.select(starts_with("dear").score).to_series().to_list()
        [1.0, 0.0]
    """
    folding = Folding(ignore_case, casefold, normalize)
    found = starts(column("on", on), "expected", expected, folding)
    verbs = "begins with|does not begin with"
    reason = sought(found, on, operand("expected", expected), "begin with", verbs)
    return passed(found, pl.struct(found=found), reason)


@check
def ends_with(
    expected: str | pl.Expr,
    *,
    ignore_case: bool = True,
    casefold: bool = False,
    normalize: Form | None = None,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The output ends with `expected`, taken literally: 1.0, else 0.0.

    Nothing is trimmed. Details: `found`.

    Args:
        expected: the text to end with, white space and all; or an expression with one per row,
            null or empty where a row has no expectation, which leaves it unscored.
        ignore_case: compare in lower case, as in `includes`.
        casefold: by case folding, likewise.
        normalize: in a normal form, likewise.
        on: the text to look at instead of the output; where it is null a row is unscored.

    Raises:
        BlankArgumentError: `expected` is the empty text.
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["It is so. DONE", "Done, I think"]})
        >>> traces.select(ends_with("done").score).to_series().to_list()
        [1.0, 0.0]
    """
    folding = Folding(ignore_case, casefold, normalize)
    found = ends(column("on", on), "expected", expected, folding)
    verbs = "ends with|does not end with"
    reason = sought(found, on, operand("expected", expected), "end with", verbs)
    return passed(found, pl.struct(found=found), reason)


@check
def equals(
    expected: str | pl.Expr,
    *,
    ignore_case: bool = True,
    casefold: bool = False,
    normalize: Form | None = None,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The output is `expected`, the whole of it: 1.0, else 0.0.

    Nothing is trimmed. After the quick check of the same name in Mastra's evals. Details: `equal`.

    Args:
        expected: the text to be, which may be empty; or an expression with one per row, null
            where a row has no expectation, which leaves it unscored.
        ignore_case: compare in lower case, as in `includes`.
        casefold: by case folding, likewise.
        normalize: in a normal form, likewise.
        on: the text to compare instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["PARIS", "Paris."]})
        >>> traces.select(equals("Paris").score).to_series().to_list()
        [1.0, 0.0]
    """
    text, wanted = column("on", on), operand("expected", expected)
    equal = same(text, "expected", expected, Folding(ignore_case, casefold, normalize))
    reason = sentence(equal, "{} is {}, and should be {}", subject(on), quote(text), quote(wanted))
    return passed(equal, pl.struct(equal=equal), reason)
