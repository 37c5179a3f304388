r"""What a text is made of: words, sentences and lines, as counts that need no language's rules.

Words and sentences follow the default boundaries of Unicode's text segmentation (UAX #29), told as
patterns for the linear engine. Where a script puts no spaces between words, each character with its
marks is one: Han, Hiragana, Thai, Lao, Khmer, Myanmar. What has no letter and no digit is no word.

A sentence ends at a line feed, at a mark of another script such as "。", or at `.`, `!`, `?`
before white space; but not at a `.` after which the next letter is a small one ("e.g. this").
Where UAX #29 ends one in the midst of a word or an address ("a?b=1"), this does not.
"""

from typing import Final

import polars as pl

_ALONE: Final = r"\p{Han}\p{Hiragana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_KANA: Final = r"[\p{Katakana}\u30fc\uff70]"
_LETTER: Final = rf"[\p{{Alphabetic}}--[{_ALONE}{_KANA}\p{{N}}\p{{M}}]]"
_REST: Final = r"[\p{M}\p{Pc}\u00ad\u200d]"
_JOINED: Final = rf"{_LETTER}\p{{M}}*(?:[.'\u2019:·‧]\p{{M}}*{_LETTER}\p{{M}}*)*"
_NUMBER: Final = r"\p{N}\p{M}*(?:[.,;'\u2019]\p{M}*\p{N}\p{M}*)*"
WORD: Final = "|".join(
    [
        rf"(?:{_JOINED}|{_NUMBER})(?:{_JOINED}|{_NUMBER}|{_REST})*",
        rf"{_KANA}(?:{_KANA}|{_REST})*",
        rf"[{_ALONE}--\p{{M}}]{_REST}*",
    ]
)

_OTHER: Final = r"[\p{Sentence_Terminal}--[.!?]]"
_CLOSE: Final = r"[\p{Pe}\p{Pf}\p{Pi}\x22'*_`]"  # the last ones are of Markdown
_GOES_ON: Final = "|".join(
    [
        rf"\.{_CLOSE}*[^\p{{Alphabetic}}\n\r\p{{Sentence_Terminal}}]*\p{{Ll}}",
        rf"[.!?]+{_CLOSE}*[^\s\p{{Sentence_Terminal}}{_CLOSE}]",
        r"[^\n\r\p{Sentence_Terminal}]",
    ]
)
SENTENCE: Final = rf"[\p{{Alphabetic}}\p{{N}}](?:{_GOES_ON})*"


def words(text: pl.Expr) -> pl.Expr:
    """How many words a text has.

    Example:
        >>> texts = pl.DataFrame({"x": ["I can't: 3.5 %", "東京は", " - "]})
        >>> texts.select(words(pl.col("x")))["x"].to_list()
        [3, 3, 0]
    """
    return text.str.count_matches(WORD).cast(pl.Int64)


def sentences(text: pl.Expr) -> pl.Expr:
    r"""How many sentences a text has.

    Example:
        >>> texts = pl.DataFrame({"x": ['"E.g. so." Yes.', "はい。いいえ。", "- a\n- b"]})
        >>> texts.select(sentences(pl.col("x")))["x"].to_list()
        [2, 2, 2]
    """
    return text.str.count_matches(SENTENCE).cast(pl.Int64)


def lines(text: pl.Expr) -> pl.Expr:
    r"""How many lines a text has; a break at its end begins no further one, and "" has none.

    Breaks are line feed, carriage return, and both together.

    Example:
        >>> texts = pl.DataFrame({"x": ["a", "a\r\nb\n", "\n", ""]})
        >>> texts.select(lines(pl.col("x")))["x"].to_list()
        [1, 2, 1, 0]
    """
    feeds, returns, both = (text.str.count_matches(x, literal=True) for x in ("\n", "\r", "\r\n"))
    breaks = feeds.cast(pl.Int64) + returns.cast(pl.Int64) - both.cast(pl.Int64)
    is_open = (text != "") & ~text.str.ends_with("\n") & ~text.str.ends_with("\r")
    return breaks + is_open.cast(pl.Int64)


def characters(text: pl.Expr) -> pl.Expr:
    """How many code points a text has."""
    return text.str.len_chars().cast(pl.Int64)
