"""The keywords of texts: what is left of their words without stop words, numbers and marks.

Source: npm `keyword-extractor` 0.0.28, in English, with digits removed and duplicates too.
"""

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from batcheval.checks.wordlists import stop_words
from batcheval.checks.words import blocks, likely, spaced

_BLOCK_BYTES = 1 << 22
_WORD = pl.col("word")
_TEXT = spaced(_WORD.str.replace_all("<[^>]+>", ""))
_LINK = "[^ ]*https?://[^ ]*"
_LINKS = _WORD.str.extract_all(_LINK)
_LINKED = _WORD.str.contains("https?://").fill_null(False).alias("linked")
# What is left out of words, and what stays of it; first the apostrophes at their ends.
_MARKS = [("(^| )'", "$1"), ("'( |$)", "$1")]
_MARKS += [('[.,;!?():"]', ""), (r"[\u2018\u2019\u201c\u201d]", "")]


def covered(left: pl.Series, right: pl.Series) -> tuple[NDArray[Any], NDArray[Any]]:
    """How many keywords the left texts have, and how many of these the right ones have too.

    Example:
        >>> total, matched = covered(pl.Series(["Fly to Oslo!"]), pl.Series(["oslo, it is"]))
        >>> total.tolist(), matched.tolist()
        ([2], [1])
    """
    counts = np.zeros((2, len(left)), np.int64)
    for cut in blocks(_BLOCK_BYTES, left, right):
        wanted, found = keywords(left[cut]), _candidates(right[cut])
        matched = wanted.join(likely(found, wanted), on=["row", "word"], how="semi")
        for side, words in zip(counts, (wanted, matched), strict=True):
            side[cut] = np.bincount(words["row"], minlength=len(left[cut]))
    return counts[0], counts[1]


def keywords(texts: pl.Series) -> pl.DataFrame:
    """The keywords of each text once, with the `row` each is from, in no order."""
    is_mark = _WORD.is_in(["", "_", "@", "&", "#"])
    is_stop = _WORD.is_in(list(stop_words()))
    is_number = _WORD.str.contains("^[0-9]+$")
    return _candidates(texts).filter(~(is_mark | is_stop | is_number)).unique()


def _candidates(texts: pl.Series) -> pl.DataFrame:
    """All words in lower case and without marks, web addresses as they stand; with their `row`.

    To look keywords up in it, stop words and numbers need not be dropped.
    """
    whole = texts.to_frame("word").select(_TEXT, _LINKED).with_row_index("row")
    if not whole["linked"].any():
        return _listed(whole, _bare(_WORD))
    plain, linked = whole.filter(~pl.col("linked")), whole.filter("linked")
    rest = _bare(_WORD.str.replace_all(_LINK, " "))
    parts = (_listed(plain, _bare(_WORD)), _listed(linked, rest), _listed(linked, _LINKS))
    return pl.concat(parts)


def _listed(texts: pl.DataFrame, lists: pl.Expr) -> pl.DataFrame:
    return texts.select("row", lists).explode("word", empty_as_null=False)


def _bare(text: pl.Expr) -> pl.Expr:
    for marks, kept in _MARKS:
        text = text.str.replace_all(marks, kept)
    return text.str.to_lowercase().str.split(" ")
