"""Texts as columns of words. White space is JavaScript's, as in the sources of the checks."""

from collections.abc import Iterator
from itertools import pairwise, starmap
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

# White space in classes of at most ten, which the regex engine looks up many times as fast as `\s`.
BLANKS = r"[\t-\r]"
WIDE_BLANKS = (
    r"[\u00a0\u1680\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]",
    r"[\u2000-\u2008]",
)
_MIX = np.uint64(0x9E3779B97F4A7C15)


def blocks(size: int, *columns: pl.Series) -> Iterator[slice]:
    """Cut columns of texts into stretches of about `size` bytes.

    They spread the overhead of calls and bound the memory.

    Example:
        >>> list(blocks(1000, pl.Series(["a", "b" * 1000, "c"])))
        [slice(0, 1, None), slice(1, 3, None)]
    """
    texts = pl.DataFrame({str(place): column for place, column in enumerate(columns)})
    weights = pl.sum_horizontal(pl.all().str.len_bytes().cast(pl.Int64)) + 64  # a row costs too
    places = texts.select(weights).to_series().to_numpy().cumsum() // size
    cuts = np.flatnonzero(np.diff(places, prepend=-1, append=-1))
    return starmap(slice, pairwise(cuts.tolist()))


def narrowed(text: pl.Expr, blank: str) -> pl.Expr:
    """The text with `blank` for each character of white space outside ASCII."""
    for blanks in WIDE_BLANKS:
        text = text.str.replace_all(blanks, blank)
    return text


def spaced(text: pl.Expr) -> pl.Expr:
    """The text with a space for each character of white space."""
    return narrowed(text, " ").str.replace_all(BLANKS, " ")


def likely(found: pl.DataFrame, wanted: pl.DataFrame) -> pl.DataFrame:
    """Drop most words of `found` that `wanted` lacks in that row: cheap, and leaves few to join.

    Args:
        found: the columns `row` and `word`.
        wanted: these too.
    """
    width = max(len(wanted), 1).bit_length() + 3
    table = np.zeros(1 << width, bool)
    table[_keys(wanted, width)] = True
    return found[np.flatnonzero(table[_keys(found, width)])]


def _keys(frame: pl.DataFrame, width: int) -> NDArray[Any]:
    mixed = frame["row"].to_numpy() * _MIX
    mixed ^= frame["word"].hash().to_numpy()
    mixed *= _MIX
    mixed >>= np.uint64(64 - width)
    return mixed
