r"""How texts end: whole, or in the middle of a sentence. No language's words are known here."""

from typing import Final

import polars as pl

SEEN: Final = 1000  # code points at the end of a text: what lies before does not matter
LONG: Final = 80  # code points of a line that is prose, not a label
_CLOSE: Final = r"[\p{Pe}\p{Pf}\p{Pi}\x22'*_`]"
_MARKER: Final = r"\A\s*(?:>\s*)*(?:(?:[-*+\u2022]|\d{1,9}[.)])\s+)?"
_FREE: Final = r"\A\s*(?:#|\||```|~~~)"  # headings, rows of tables, fences
_ADDRESS: Final = r"\S*(?:://|@)\S*\z"
_HANGS: Final = r"(?:[,;\u060c\u061b\u3001\uff0c\uff1b]|\p{L}[-\u2010\u2011])\z"
_BARE: Final = r"[\p{L}\p{M}\p{N}--[\p{Thai}\p{Lao}]]\z"  # the last two write no full stops
_STOP: Final = r"[\u3002\uff01\uff1f\u0964\u06d4\u0589\u1362\u17d4\u104b]"  # no space after it
_AFTER: Final = rf"\S\s+\S+\s+\S+[.!?]+{_CLOSE}*\s+\S.*{_BARE}|{_STOP}{_CLOSE}*\s*\S.*{_BARE}"
_ENDED: Final = rf"(?:[.!?\u2026\u061f]|{_STOP}){_CLOSE}*\z"
_BREAK: Final = r"[ \u060c\u3001\uff0c]"  # a line of prose has some

_OPEN: Final = r"(\[{\uff08\uff3b\u300c\u300e\u3010\u300a\u3008\u3014"
_SHUT: Final = r")\]}\uff09\uff3d\u300d\u300f\u3011\u300b\u3009\u3015"
_BRACKET: Final = (  # none shuts it; after a colon or the like it may be a face
    rf"(?:(?:\A|[^:;=\-'])[{_OPEN}]|[:;='][{_OPEN}][^\s{_SHUT}])"
    rf"(?:[^{_OPEN}{_SHUT}`]|[{_OPEN}][^{_OPEN}{_SHUT}`]*[{_SHUT}])*\z"
)
_QUOTES: Final = r"\x22\u201c\u201d\u201e\u201f\u00ab\u00bb"
_QUOTE: Final = (  # what comes before tells a mark that opens from one that shuts
    rf"(?:\A|[\s(\[{{\u2014:\uff1a\uff0c\p{{Han}}\p{{Hiragana}}\p{{Katakana}}])"
    rf"[\x22\u201c\u201e\u201f\u00ab][^{_QUOTES}]*\z"
)
_OPENED: Final = f"{_BRACKET}|{_QUOTE}"
# A dash and a name, or some words such as "Best," and names; names may have no capital letter.
_NAME: Final = r"[\p{Lu}\p{Lt}\p{Lo}]\S*"
_SIGNED: Final = (
    rf"(?:\A|(?:[.!?]|{_STOP}){_CLOSE}*\s*)"
    rf"(?:[\u2014\u2013-]{{1,2}}\s*{_NAME}(?:\s+\S+){{0,4}}"
    rf"|{_NAME}(?:\s+\S+){{0,2}},\s+{_NAME}(?:\s+{_NAME}){{0,3}})\z"
)


def last_line(text: pl.Expr) -> pl.Expr:
    r"""The last line that is not blank, without white space at its end.

    Example:
        >>> pl.DataFrame({"x": ["a\nb c \n\n"]}).select(last_line(pl.col("x"))).item()
        'b c'
    """
    return text.str.tail(SEEN).str.strip_chars_end().str.split("\n").list.last()


def is_cut(text: pl.Expr) -> pl.Expr:
    """Whether a text ends in mid-sentence: Boolean, null where the text is.

    Example:
        >>> texts = pl.DataFrame({"x": ["It is so odd. I wou", "1. Oslo", "So,", "It is so. Yes!"]})
        >>> texts.select(is_cut(pl.col("x")))["x"].to_list()
        [True, False, True, False]
    """
    line = last_line(text).str.replace(_MARKER, "")
    long = (line.str.len_chars() > LONG) & line.str.contains(_BARE) & line.str.contains(_BREAK)
    free = line.str.contains(_ADDRESS) | line.str.contains(_SIGNED)
    opened = line.str.contains(_OPENED) & ~line.str.contains(_ENDED)
    broken = (line.str.contains(_AFTER) | long) & ~free
    return ~line.str.contains(_FREE) & (line.str.contains(_HANGS) | opened | broken)
