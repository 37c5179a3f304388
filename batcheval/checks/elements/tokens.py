"""Texts cut into words, column-wise: lower-case runs of `a-z 0-9`, and how they stood there."""

import re
import unicodedata
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

_FOREIGN: Final = re.compile(r"[^\x00-\x7f]+")
_ACCENTS: Final = re.compile(r"[\u0300-\u036f]+")
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc", "'"))
_CAMEL: Final = re.compile(r"([a-z])([A-Z])")

# How a word stands to the one before it.
SPACE, APOSTROPHE, HYPHEN, DOT, JOINED, COMMA, COLON, PAREN, QUOTE = range(9)
END, NEWLINE, DASH, START, OTHER, UNDERSCORE = range(9, 15)

# How a word is spelled: lower case, one capital at its head, more of them, a digit at its head.
LOWER, TITLE, UPPER, DIGIT = range(4)


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
    whole = _joined(texts)
    if split_camel_case:
        whole = _CAMEL.sub(r"\1 \2", whole)
    data = whole.encode()
    raw, lowered = np.frombuffer(data, np.uint8), data.translate(_LOWERED)
    inside = np.frombuffer(lowered, np.uint8) != 0
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    starts, ends = edges[::2], edges[1::2]
    bounds = np.searchsorted(starts, np.flatnonzero(raw == 0))
    vocabulary, words = _encoded(lowered.translate(None, b"\0"), ends - starts)
    gaps, shapes = _gaps(raw, starts, ends), _SHAPE[raw[starts], raw[starts + 1]]
    return Tokens(vocabulary, words, bounds, gaps, shapes)


def _joined(texts: pl.Series) -> str:
    """All texts, a NUL before, between and after them, without accents."""
    texts = texts.fill_null("")
    whole = "\0" + "\0".join(texts.to_list()) + "\0"
    if whole.count("\0") > len(texts) + 1:  # some text has one of its own
        whole = "\0" + "\0".join(texts.str.replace_all("\0", "\n", literal=True).to_list()) + "\0"
    return whole if whole.isascii() else _FOREIGN.sub(lambda run: _folded(run[0]), whole)


@lru_cache(1 << 12)
def _folded(run: str) -> str:
    """Characters beyond ASCII in NFD, less the marks that were accents; apostrophes made plain."""
    return _ACCENTS.sub("", unicodedata.normalize("NFD", run)).translate(_APOSTROPHES)


def _encoded(letters: bytes, lengths: NDArray[Any]) -> tuple[list[str], NDArray[np.int32]]:
    """The distinct words among `letters`, cut to `lengths`, and the place of each."""
    import pyarrow as pa

    offsets = np.append(0, np.cumsum(lengths)).astype(np.int64)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(letters)]
    words = pa.Array.from_buffers(pa.large_string(), len(lengths), buffers).dictionary_encode()
    return words.dictionary.to_pylist(), words.indices.to_numpy()


def _gaps(raw: NDArray[Any], starts: NDArray[Any], ends: NDArray[Any]) -> NDArray[np.uint8]:
    before = np.append(0, ends)[: len(starts)]
    first, last = raw[before], raw[starts - 1]
    return np.where(starts - before == 1, _ALONE[first], _AROUND[first, last])


def _table(characters: str, codes: list[int]) -> NDArray[np.uint8]:
    table = np.zeros(256, np.uint8)
    table[[ord(char) for char in characters]] = codes
    return table


def _around() -> NDArray[np.uint8]:
    """By the first and the last of several bytes between two words; later rules win."""
    table = np.full((256, 256), OTHER, np.uint8)
    table[32, 32] = SPACE
    for characters, code in (("([{)]}", PAREN), ("\"'`", QUOTE)):
        for byte in characters.encode():
            table[byte, :] = table[:, byte] = code
    for characters, code in (("-", DASH), (",", COMMA), (":;", COLON), (".!?", END)):
        table[list(characters.encode()), :] = code
    table[ord("\n"), :] = table[:, ord("\n")] = NEWLINE
    table[0, :] = table[:, 0] = START
    return table


def _alone() -> NDArray[np.uint8]:
    """By the one byte between two words."""
    table = np.full(256, JOINED, np.uint8)
    codes = {" ": SPACE, "'": APOSTROPHE, "-": HYPHEN, ".": DOT, "_": UNDERSCORE}
    codes |= {",": COMMA, ":": COLON, "\n": NEWLINE, "\t": SPACE, "\0": START}
    for char, code in codes.items():
        table[ord(char)] = code
    return table


def _shape() -> NDArray[np.uint8]:
    """By the first two bytes of a word."""
    table = np.full((256, 256), LOWER, np.uint8)
    capital = slice(ord("A"), ord("Z") + 1)
    table[capital, :] = TITLE
    table[capital, capital] = UPPER
    table[ord("0") : ord("9") + 1, :] = DIGIT
    return table


_WORDS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_LOWERED: Final = _table(_WORDS, [ord(char) for char in _WORDS.lower()]).tobytes()
_ALONE, _AROUND, _SHAPE = _alone(), _around(), _shape()
