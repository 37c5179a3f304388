"""Checks of how long a text is: in words, characters, lines, sentences."""

import polars as pl

from batcheval.checks.operands import column
from batcheval.checks.texts.limits import counted
from batcheval.checks.texts.units import characters, lines, sentences, words
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, check

__all__ = ["char_count", "line_count", "sentence_count", "word_count"]


@check
def word_count(*, min: int | None = None, max: int | None = None, on: pl.Expr = OUTPUT) -> Verdict:
    """The output has from `min` to `max` words: 1.0, else 0.0.

    Words by the default boundaries of Unicode (UAX #29) that hold a letter or digit: "can't" and
    "3.5" are one, "well-known" two; in scripts without spaces each character is one.
    Details: `count`.

    Args:
        min: the fewest, 0 or more; or None.
        max: the most; or None, but one of both must be given.
        on: the text to count in instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: neither limit is given, they cross, or one is no whole number.

    Example:
        >>> traces = pl.DataFrame({"output": ["It is sunny.", "Rain"]})
        >>> traces.select(word_count(min=2).score).to_series().to_list()
        [1.0, 0.0]
    """
    return counted(words(column("on", on)), "words", min, max, on)


@check
def char_count(*, min: int | None = None, max: int | None = None, on: pl.Expr = OUTPUT) -> Verdict:
    """The output has from `min` to `max` characters: 1.0, else 0.0.

    Characters are code points, white space included: a decomposed "é" has two. Details: `count`.

    Args:
        min: the fewest, 0 or more; or None.
        max: the most; or None, but one of both must be given.
        on: the text to count in instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: neither limit is given, they cross, or one is no whole number.

    Example:
        >>> traces = pl.DataFrame({"output": ["It is sunny.", "Rain"]})
        >>> traces.select(char_count(max=10).score).to_series().to_list()
        [0.0, 1.0]
    """
    return counted(characters(column("on", on)), "characters", min, max, on)


@check
def line_count(*, min: int | None = None, max: int | None = None, on: pl.Expr = OUTPUT) -> Verdict:
    r"""The output has from `min` to `max` lines: 1.0, else 0.0.

    A line ends with a line feed, a carriage return or both; the empty text has none, and a break
    at the end begins no further one. Details: `count`.

    Args:
        min: the fewest, 0 or more; or None.
        max: the most; or None, but one of both must be given.
        on: the text to count in instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: neither limit is given, they cross, or one is no whole number.

    Example:
        >>> traces = pl.DataFrame({"output": ["first\nsecond\n", "one"]})
        >>> traces.select(line_count(min=2).score).to_series().to_list()
        [1.0, 0.0]
    """
    return counted(lines(column("on", on)), "lines", min, max, on)


@check
def sentence_count(
    *, min: int | None = None, max: int | None = None, on: pl.Expr = OUTPUT
) -> Verdict:
    """The output has from `min` to `max` sentences: 1.0, else 0.0.

    A sentence ends at a line feed, a mark such as "。", or `.`, `!`, `?` before white space, but
    not at a `.` after which the next letter is a small one (after UAX #29, without any list of
    abbreviations: "Mr. Li" makes two). What has no letter and no digit is none. Details: `count`.

    Args:
        min: the fewest, 0 or more; or None.
        max: the most; or None, but one of both must be given.
        on: the text to count in instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: neither limit is given, they cross, or one is no whole number.

    Example:
        >>> traces = pl.DataFrame({"output": ["Sunny, e.g. warm. Yes!", "はい。"]})
        >>> traces.select(sentence_count(max=1).score).to_series().to_list()
        [0.0, 1.0]
    """
    return counted(sentences(column("on", on)), "sentences", min, max, on)
