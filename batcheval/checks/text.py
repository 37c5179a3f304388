"""Checks of what a run said: is a text in it, does it match a pattern."""

import polars as pl

from batcheval.checks.folding import Folding, Form
from batcheval.checks.literals import contains, sought
from batcheval.checks.operands import column, either, flag, operand, quote, sentence, subject
from batcheval.checks.regexes import search
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, check, passed

__all__ = ["excludes", "includes", "matches"]


@check
def includes(
    expected: str | pl.Expr,
    *,
    ignore_case: bool = True,
    casefold: bool = False,
    normalize: Form | None = None,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The output contains `expected`, taken literally: 1.0, else 0.0.

    After the quick check of the same name in Mastra's evals. Details: `found`.

    Args:
        expected: the text to look for, white space and all; or an expression with one per row,
            null or empty where a row has no expectation, which leaves it unscored.
        ignore_case: compare in lower case (Unicode's full mapping: "ß" is not "ss").
        casefold: compare by Unicode's full case folding instead: "STRASSE" is "straße".
        normalize: the Unicode normal form in which to compare, such as "NFC" (a composed "é" is
            a decomposed one) or "NFKC" (full-width digits are digits); None as they stand.
        on: the text to search instead of the output; where it is null a row is unscored.

    Raises:
        BlankArgumentError: `expected` is the empty text.
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["It is sunny.", "Rain."], "expected": ["SUN", None]})
        >>> traces.select(includes("sunny").score).to_series().to_list()
        [1.0, 0.0]
        >>> traces.select(includes(pl.col("expected")).score).to_series().to_list()
        [1.0, None]
    """
    found = contains(
        column("on", on), "expected", expected, Folding(ignore_case, casefold, normalize)
    )
    reason = sought(found, on, operand("expected", expected), "include")
    return passed(found, pl.struct(found=found), reason)


@check
def excludes(
    unwanted: str | pl.Expr,
    *,
    ignore_case: bool = True,
    casefold: bool = False,
    normalize: Form | None = None,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The output does not contain `unwanted`, taken literally: 1.0, else 0.0.

    After the quick check of the same name in Mastra's evals. Details: `found`.

    Args:
        unwanted: the text that must not occur; or an expression with one per row, null or empty
            where a row has no expectation, which leaves it unscored.
        ignore_case: compare in lower case, as in `includes`.
        casefold: by case folding, likewise.
        normalize: in a normal form, likewise.
        on: the text to search instead of the output; where it is null a row is unscored.

    Raises:
        BlankArgumentError: `unwanted` is the empty text.
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["It is sunny.", "An ERROR occurred."]})
        >>> traces.select(excludes("error").score).to_series().to_list()
        [1.0, 0.0]
    """
    found = contains(
        column("on", on), "unwanted", unwanted, Folding(ignore_case, casefold, normalize)
    )
    reason = sought(found, on, operand("unwanted", unwanted), "exclude")
    return passed(~found, pl.struct(found=found), reason)


@check
def matches(pattern: str | pl.Expr, *, exact: bool = False, on: pl.Expr = OUTPUT) -> Verdict:
    r"""The regular expression `pattern` is found in the output: 1.0, else 0.0.

    Patterns are those of Rust's regex crate, Unicode-aware and run in linear time; one with
    look-around or back-references runs in a backtracking engine that agrees with it and has a
    time limit a row, past which the row is unscored. After the quick check of the same name in
    Mastra's evals. Details: `found`.

    Args:
        pattern: the regular expression, flags inside as in `(?i)`; or an expression with one per
            row, null where a row has no expectation, which leaves it unscored.
        exact: the whole text must match, as by `^(?:…)$`.
        on: the text to search instead of the output; where it is null a row is unscored.

    Raises:
        BadPatternError: no engine can read `pattern`.
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["21 degrees", "warm"]})
        >>> traces.select(matches(r"\d+").score).to_series().to_list()
        [1.0, 0.0]
    """
    wanted = operand("pattern", pattern)
    searched = wanted if isinstance(pattern, pl.Expr) else pattern
    found = search(column("on", on), searched, exact=flag("exact", exact))
    verb = either(found, "matches", "does not match")
    reason = sentence(found, "{} {} {}, which it should", subject(on), verb, quote(wanted))
    return passed(found, pl.struct(found=found), reason)
