"""Checks that rest on word lists: the tone of a text, the keywords that it covers."""

import polars as pl

from batcheval.checks.keywords import covered
from batcheval.checks.operands import column, fold, other_text, quote, sentence, subject
from batcheval.checks.pairs import paired
from batcheval.checks.sentiment import sentiment, sentiments, swings
from batcheval.errors import BlankArgumentError
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, batched, check

__all__ = ["keyword_coverage", "tone"]


@check
def tone(reference: str | pl.Expr | None = None, *, on: pl.Expr = OUTPUT) -> Verdict:
    """How near the tone of the output is to that of `reference`, or how steady: 1.0 is the same.

    The sentiment of a text, in -5..5, is the mean over its words of their values in the word list
    AFINN-165 and the Emoji Sentiment Ranking, turned round after a word such as "not". With a
    reference the score is 1 less the difference of both, at least 0.0. Without one it is 1 less
    the variance of the sentiment of the output's sentences: steadily harsh is steady. After the
    tone scorer in Mastra's evals (Nielsen 2011; Kralj Novak et al. 2015; npm `sentiment` 5.0.2).

    Details: `response_sentiment`, `reference_sentiment`, `difference`; without a reference
    `avg_sentiment` and `sentiment_variance`.

    Args:
        reference: "input", "output" or "expected" for the text in that column, or any other
            text; or an expression with one per row. A row where it is null or empty is unscored.
        on: the text to judge instead of the output; where it is null a row is unscored.

    Raises:
        BlankArgumentError: `reference` is the empty text.
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["I love it. I hate it.", "Not happy, I am sorry!"]})
        >>> traces.select(tone().score.round(3)).to_series().to_list()
        [0.0, 1.0]
        >>> traces.select(tone("What a sad day").score.round(3)).to_series().to_list()
        [0.5, 0.7]
    """
    text = fold(column("on", on), ignore_case=True)
    if reference is None:
        return _steady(text, on)
    if isinstance(reference, str) and not reference:
        raise BlankArgumentError("'reference'")
    wanted = other_text("reference", reference)
    is_literal = isinstance(reference, str) and not wanted.meta.root_names()
    return _near(text, wanted, on, is_literal)


@check
def keyword_coverage(*, against: str | pl.Expr = "input", on: pl.Expr = OUTPUT) -> Verdict:
    """The share of the keywords of `against`, each counted once, that the output has: 0.0 to 1.0.

    Keywords are words in lower case, without punctuation, that are neither numbers nor among the
    570 stop words of the SMART list; web addresses stay as they are, tags in `<…>` are left out.
    They are compared whole, without stemming. 1.0 where `against` has no keyword. After the
    keyword coverage scorer in Mastra's evals (npm `keyword-extractor` 0.0.28).

    Details: `total_keywords`, `matched_keywords`.

    Args:
        against: "input", "output" or "expected" for the text in that column, or any other text;
            or an expression with one per row. A row where it is null is unscored.
        on: the text to judge instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"input": ["Is it sunny in Oslo?"], "output": ["Oslo has rain."]})
        >>> traces.select(keyword_coverage().score).to_series().to_list()
        [0.5]
    """
    text, wanted = column("on", on), other_text("against", against)
    both = text.is_not_null() & wanted.is_not_null()
    total, matched = paired(covered, both, wanted, text, dtype=pl.Int64)
    score = pl.when(total == 0).then(1.0).otherwise(matched / total)
    template = "{} has {} of the {} keywords of {}, and should have all"
    reason = sentence(total, template, subject(on), matched, total, quote(wanted))
    return Verdict(score, pl.struct(total_keywords=total, matched_keywords=matched), reason)


def _steady(text: pl.Expr, on: pl.Expr) -> Verdict:
    mean, variance = paired(swings, text.is_not_null(), text)
    template = "{} has sentences whose sentiment varies by {} around {}, and should keep one tone"
    reason = sentence(variance, template, subject(on), _short(variance), _short(mean))
    details = pl.struct(avg_sentiment=mean, sentiment_variance=variance)
    return Verdict((1 - variance).clip(0, 1), details, reason)


def _near(text: pl.Expr, wanted: pl.Expr, on: pl.Expr, is_literal: bool) -> Verdict:
    asked = fold(wanted, ignore_case=True)
    if is_literal:
        own: pl.Expr = pl.when(text.is_not_null()).then(batched(sentiment, text))
        other = pl.lit(sentiment(pl.select(asked).to_series())[0])
    else:
        both = text.is_not_null() & (wanted != "")
        own, other = paired(sentiments, both, text, asked)
    gap = (own - other).abs()
    details = pl.struct(response_sentiment=own, reference_sentiment=other, difference=gap)
    template = "{} has a sentiment of {}, and should be near the {} of {}"
    reason = sentence(gap, template, subject(on), _short(own), _short(other), quote(wanted))
    return Verdict((1 - gap).clip(0, 1), details, reason)


def _short(number: pl.Expr) -> pl.Expr:
    return number.round(3).cast(pl.String)
