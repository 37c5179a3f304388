"""Texts cut into words, column-wise: lower-case runs of `a-z 0-9`, and how they stood there."""

import codecs
import re
import unicodedata
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from batcheval.checks.elements.spelling import ALONE, AROUND, LOWERED, SHAPES, START

_ACCENTS: Final = re.compile(r"[\u0300-\u036f]+")
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc", "'"))
_CAMEL: Final = re.compile(rb"([a-z])([A-Z])")
KEPT: Final = 8  # characters up to which a stretch is kept
_FOLDING: Final = "batcheval.elements"  # the name of `_fold` among the handlers of encoders


class Tokens(NamedTuple):
    """The words of all rows, end to end: those of row i are `bounds[i]:bounds[i + 1]`.

    Attributes:
        vocabulary: the distinct words, in lower case.
        words: of each word its place in `vocabulary`.
        bounds: where rows begin and end.
        gaps: what stands before each word, `SPACE` to `UNDERSCORE`; `START` for a row's first.
        shapes: how each is spelled, `LOWER` to `DIGIT`.
    """

    vocabulary: list[str]
    words: NDArray[np.int32]
    bounds: NDArray[np.int64]
    gaps: NDArray[np.uint8]
    shapes: NDArray[np.uint8]


def tokenised(texts: pl.Series, split_camel_case: bool = False) -> Tokens:
    """Cut texts into words, accents removed; by option at each "aB" too. A null has none.

    Example:
        >>> tokens = tokenised(pl.Series(["It's here.", None, "Here"]))
        >>> tokens.vocabulary, tokens.words.tolist(), tokens.bounds.tolist()
        (['it', 's', 'here'], [0, 1, 2, 2], [0, 3, 3, 4])
    """
    data = _joined(texts)
    if split_camel_case:
        data = _CAMEL.sub(rb"\1 \2", data)
    raw, lowered = (np.frombuffer(x, np.uint8) for x in (data, data.translate(LOWERED)))
    inside = lowered != 0
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    starts, ends = np.ascontiguousarray(edges.reshape(-1, 2).T)
    bounds = np.searchsorted(starts, np.flatnonzero(raw == 0))
    letters = pl.Series(lowered).filter(pl.Series(inside)).to_numpy()
    vocabulary, words = _encoded(letters, ends - starts)
    heads = raw.take(starts).astype(np.intp) << 8 | raw.take(starts + 1)
    gaps, shapes = _gaps(raw, starts, ends), SHAPES.ravel().take(heads)
    gaps[bounds[:-1][bounds[:-1] < bounds[1:]]] = START  # whatever ends the row before
    return Tokens(vocabulary, words, bounds, gaps, shapes)


def _joined(texts: pl.Series) -> bytes:
    """All texts without accents, a NUL before, between and after them."""
    texts = texts.fill_null("")
    whole = "\0".join(["", *texts.to_list(), ""])
    if whole.count("\0") > len(texts) + 1:  # some text has one of its own
        return _joined(texts.str.replace_all("\0", "\n", literal=True))
    return whole.encode("ascii", _FOLDING)


def _folded(run: str) -> bytes:
    """Characters beyond ASCII in NFD, less the marks that were accents; apostrophes made plain."""
    letters = _ACCENTS.sub("", unicodedata.normalize("NFD", run))
    return letters.translate(_APOSTROPHES).encode()


def _fold(error: UnicodeError) -> tuple[bytes, int]:
    """What an encoder to ASCII does with the rest: called once a stretch, so most goes fast."""
    assert isinstance(error, UnicodeEncodeError)
    run = error.object[error.start : error.end]
    return (_kept(run) if len(run) <= KEPT else _folded(run)), error.end


@lru_cache(1 << 12)
def _kept(run: str) -> bytes:
    return _folded(run)


def _encoded(
    letters: NDArray[np.uint8], lengths: NDArray[Any]
) -> tuple[list[str], NDArray[np.int32]]:
    """The distinct words among `letters`, cut to `lengths`, and the place of each."""
    import pyarrow as pa

    offsets = np.append(0, np.cumsum(lengths)).astype(np.int64)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(letters)]
    words = pa.Array.from_buffers(pa.large_string(), len(lengths), buffers).dictionary_encode()
    return words.dictionary.to_pylist(), words.indices.to_numpy()


def _gaps(raw: NDArray[Any], starts: NDArray[Any], ends: NDArray[Any]) -> NDArray[np.uint8]:
    before = np.append(0, ends[:-1])[: len(starts)]
    gaps: NDArray[np.uint8] = ALONE.take(raw.take(before))
    longer = np.flatnonzero(starts - before != 1)
    gaps[longer] = AROUND[raw[before[longer]], raw[starts[longer] - 1]]
    return gaps


codecs.register_error(_FOLDING, _fold)
