"""Texts cut into words, column-wise: lower-case runs of `a-z 0-9`, and how they stood there."""

from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

MARKS: Final = r"[\u0300-\u036f]"
APOSTROPHES: Final = {"\u2018": "'", "\u2019": "'", "\u02bc": "'"}

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


def folded(texts: pl.Series, split_camel_case: bool) -> pl.Series:
    """Texts without nulls and accents; by option with a space in each "aB"."""
    texts = texts.fill_null("")
    if (texts.str.len_bytes() != texts.str.len_chars()).any():
        texts = texts.str.normalize("NFD").str.replace_all(MARKS, "")
        texts = texts.str.replace_many(APOSTROPHES)
    return texts.str.replace_all("([a-z])([A-Z])", "$1 $2") if split_camel_case else texts


def tokenised(texts: pl.Series) -> Tokens:
    """Cut folded texts into words.

    Example:
        >>> tokens = tokenised(pl.Series(["It's here.", "", "Here"]))
        >>> tokens.vocabulary, tokens.words.tolist(), tokens.bounds.tolist()
        (['it', 's', 'here'], [0, 1, 2, 2], [0, 3, 3, 4])
    """
    raw = np.frombuffer(("\0" + "\0".join(texts.to_list()) + "\0").encode(), np.uint8)
    inside = _IS_WORD[raw]
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    starts, ends = edges[::2], edges[1::2]
    sizes = texts.str.len_bytes().to_numpy().astype(np.int64) + 1
    bounds = np.searchsorted(starts, np.append(0, np.cumsum(sizes)))
    vocabulary, words = _encoded(_LOWERED[raw[inside]], ends - starts)
    gaps, shapes = _gaps(raw, starts, ends), _SHAPE[raw[starts], raw[starts + 1]]
    return Tokens(vocabulary, words, bounds, gaps, shapes)


def _encoded(letters: NDArray[Any], lengths: NDArray[Any]) -> tuple[list[str], NDArray[np.int32]]:
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


def _table(characters: str, codes: int | list[int], size: int = 256) -> NDArray[np.uint8]:
    table = np.zeros(size, np.uint8)
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
_IS_WORD: Final = _table(_WORDS, 1).astype(bool)
_LOWERED: Final = _table(_WORDS, [ord(char) for char in _WORDS.lower()])
_ALONE, _AROUND, _SHAPE = _alone(), _around(), _shape()
