"""Texts as tokens: bytes end to end, and where in them each token lies.

Tokens are what is left between gaps: a space, a line feed, a mark, and two or more of any white
space. Other white space alone is part of a token. Source: npm `sentiment` 5.0.2.
"""

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from batcheval.checks.words import narrowed

Places = NDArray[np.int64]
ROOM = 64  # bytes that may be read past the last text
WORD, GAP, BLANK, MARK = range(4)  # the gaps are odd; a mark ends a sentence too
_KIND = np.full(256, WORD, np.uint8)
_KIND[np.frombuffer(b' \n,/#$%^&*;:{}=_`"~()', np.uint8)] = GAP
_KIND[np.frombuffer(b"\t\v\f\r", np.uint8)] = BLANK
_KIND[np.frombuffer(b".!?", np.uint8)] = MARK
_KINDS = _KIND.tobytes()


class Tokens(NamedTuple):
    """Tokens of texts laid end to end, a line feed before and after each of them.

    Attributes:
        data: the bytes, and `ROOM` more.
        kinds: `WORD`, `GAP`, `BLANK` or `MARK` for each of the bytes.
        bounds: where the line feeds are: text i is `data[bounds[i] + 1:bounds[i + 1]]`.
        starts: of each token, its first byte.
        ends: the byte after its last.
    """

    data: NDArray[np.uint8]
    kinds: NDArray[np.uint8]
    bounds: Places
    starts: Places
    ends: Places


def tokens(texts: pl.Series) -> Tokens:
    """The tokens of one text or more; a null is "".

    Example:
        >>> found = tokens(pl.Series(["so-so, then", "!"]))
        >>> [bytes(found.data[start:end]) for start, end in zip(found.starts, found.ends)]
        [b'so-so', b'then']
    """
    lines = narrowed(pl.col("text").fill_null(""), "\t") + "\n"
    column = texts.to_frame("text").select(lines).to_series()
    _, offsets, buffer = column.to_arrow(compat_level=pl.CompatLevel.oldest()).buffers()
    bounds = np.frombuffer(offsets, np.int64)[: len(texts) + 1]
    data = b"\n" + buffer.to_pybytes()[: bounds[-1]]
    kinds = np.frombuffer(data.translate(_KINDS), np.uint8)
    gaps = _gaps(kinds)
    edges = np.flatnonzero(gaps[1:] != gaps[:-1]) + 1  # the first and the last byte are gaps
    padded = np.frombuffer(data + bytes(ROOM), np.uint8)
    return Tokens(padded, kinds, bounds, edges[::2].copy(), edges[1::2])  # searched: in one piece


def _gaps(kinds: NDArray[np.uint8]) -> NDArray[np.bool_]:
    gaps = (kinds & 1).view(np.bool_)
    blanks = np.flatnonzero(kinds == BLANK)
    gaps[blanks] = (kinds[blanks - 1] != WORD) | (kinds[blanks + 1] != WORD)
    return gaps
