r"""How texts end: whole, or in the middle of a sentence. No language's words are known here."""

from typing import Final

import polars as pl

SEEN: Final = 1000  # code points at the end of a text: what lies before does not matter
LONG: Final = 80  # code points of a line that is prose, not a label
_CLOSE: Final = r"[\p{Pe}\p{Pf}\p{Pi}\x22'*_`]"
_MARKER: Final = r"\A\s*(?:>\s*)*(?:(?:[-*+\u2022]|\d{1,9}[.)])\s+)?"
_FREE: Final = r"\A\s*(?:#|\|)|\A\s*(?:```|~~~)|\S*(?:://|@)\S*\z"  # headings, rows, addresses
_HANGS: Final = r"(?:[,;(\[{\u3001\uff0c\uff1b\uff08]|\p{L}[-\u2010\u2011])\z"
_BARE: Final = r"[\p{L}\p{M}\p{N}]\z"
_AFTER: Final = (
    rf"\S\s+\S+\s+\S+[.!?]+{_CLOSE}*\s+\S.*{_BARE}|[\u3002\uff01\uff1f\u0964]{_CLOSE}*\S.*{_BARE}"
)


def last_line(text: pl.Expr) -> pl.Expr:
    r"""The last line that is not blank, without white space at its end.

    Example:
        >>> pl.DataFrame({"x": ["a\nb c \n\n"]}).select(last_line(pl.col("x"))).item()
        'b c'
    """
    return text.str.tail(SEEN).str.strip_chars_end().str.extract(r"([^\n]*)\z")


def is_cut(text: pl.Expr) -> pl.Expr:
    """Whether a text ends in mid-sentence: Boolean, null where the text is.

    Example:
        >>> texts = pl.DataFrame({"x": ["It is so odd. I wou", "1. Oslo", "So,", "It is so. Yes!"]})
        >>> texts.select(is_cut(pl.col("x")))["x"].to_list()
        [True, False, True, False]
    """
    line = last_line(text).str.replace(_MARKER, "")
    long = (line.str.len_chars() > LONG) & line.str.contains(_BARE) & line.str.contains(" ")
    return ~line.str.contains(_FREE) & (
        line.str.contains(_HANGS) | line.str.contains(_AFTER) | long
    )
