"""Readability formulas: how hard a text is to read, by the length of its words and sentences.

`letters` counts letters and digits, `long` the words of more than six of them. Syllables are
counted by rule, for English: groups of vowels (a, e, i, o, u, y), less a silent final e, and at
least as many as words.

Sources: Flesch 1948, "A new readability yardstick"; Kincaid et al. 1975, Research Branch Report
8-75; Smith and Senter 1967, "Automated readability index", AMRL-TR-66-220; Coleman and Liau 1975,
"A computer readability formula designed for machine scoring"; Björnsson 1968, "Läsbarhet";
Anderson 1983, "Lix and Rix: variations on a little-known readability index".
"""

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import polars as pl

from batcheval.checks.texts.units import sentences, words

Formula: TypeAlias = Literal[
    "ari", "coleman_liau", "flesch_kincaid_grade", "flesch_reading_ease", "lix", "rix"
]

_SILENT: Final = r"[AEIOUYaeiouy][B-DF-HJ-NP-TV-XZb-df-hj-km-np-tv-xz]+[Ee](?-u:\b)"


def value(text: pl.Expr, formula: Formula) -> pl.Expr:
    """What a formula gives for a text: Float64, null for one without words.

    Example:
        >>> texts = pl.DataFrame({"x": ["The cat sat. It was so.", ""]})
        >>> texts.select(value(pl.col("x"), "lix"))["x"].to_list()
        [3.0, None]
    """
    count = words(text)
    found = _FORMULAS[formula](text, count, sentences(text))
    return pl.when(count > 0).then(found.cast(pl.Float64))


def _letters(text: pl.Expr) -> pl.Expr:
    return text.str.replace_all(r"[^\p{L}\p{N}]+", "").str.len_chars()


def _long(text: pl.Expr) -> pl.Expr:
    return text.str.count_matches(r"[\p{L}\p{N}]{7}[\p{L}\p{N}]*")


def _syllables(text: pl.Expr, count: pl.Expr) -> pl.Expr:
    groups = text.str.count_matches("[AEIOUYaeiouy]+").cast(pl.Int64)
    silent = text.str.count_matches(_SILENT).cast(pl.Int64)
    return pl.max_horizontal(groups - silent, count)


def _ari(text: pl.Expr, count: pl.Expr, ends: pl.Expr) -> pl.Expr:
    return 4.71 * _letters(text) / count + 0.5 * count / ends - 21.43


def _coleman_liau(text: pl.Expr, count: pl.Expr, ends: pl.Expr) -> pl.Expr:
    return 5.88 * _letters(text) / count - 29.6 * ends / count - 15.8


def _reading_ease(text: pl.Expr, count: pl.Expr, ends: pl.Expr) -> pl.Expr:
    return 206.835 - 1.015 * count / ends - 84.6 * _syllables(text, count) / count


def _grade(text: pl.Expr, count: pl.Expr, ends: pl.Expr) -> pl.Expr:
    return 0.39 * count / ends + 11.8 * _syllables(text, count) / count - 15.59


def _lix(text: pl.Expr, count: pl.Expr, ends: pl.Expr) -> pl.Expr:
    return count / ends + 100 * _long(text) / count


def _rix(text: pl.Expr, count: pl.Expr, ends: pl.Expr) -> pl.Expr:
    return _long(text) / ends


_FORMULAS: Final[dict[str, Callable[[pl.Expr, pl.Expr, pl.Expr], pl.Expr]]] = {
    "ari": _ari,
    "coleman_liau": _coleman_liau,
    "flesch_kincaid_grade": _grade,
    "flesch_reading_ease": _reading_ease,
    "lix": _lix,
    "rix": _rix,
}
