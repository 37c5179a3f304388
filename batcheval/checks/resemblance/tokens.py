"""Texts as tokens: bytes end to end, told apart without a look at each text by itself."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]

END: Final = "\x1e"  # ends each text; white space, of which a text may lose a kind
END_CODE: Final = ord(END)


class Words(NamedTuple):
    """The tokens of texts: token i is `data[offsets[i]:offsets[i + 1]]`.

    Attributes:
        data: UTF-8.
        offsets: where each token starts, and the end of the last.
        bounds: the first token of each text, and the number of all.
    """

    data: bytes
    offsets: Ints
    bounds: Ints


class Tokens(NamedTuple):
    """Tokens by number, equal ones by the same: those of text i begin at `bounds[i]`."""

    ids: Ints
    bounds: Ints

    @property
    def sizes(self) -> Ints:
        """How many tokens each text has."""
        return np.diff(self.bounds)


Split: TypeAlias = Callable[[str], Words]


def split_at(data: bytes, apart: bytes, breaks: Ints | None = None) -> Words:
    """Tokens out of bytes.

    Args:
        data: texts, each with `END` behind it.
        apart: the bytes that are no part of a token; `END` is one.
        breaks: where tokens begin, though nothing may be before them.
    """
    whole = END.encode() + data
    kept = np.frombuffer(whole.translate(_kinds(apart)), np.bool_)
    turns = kept[1:] != kept[:-1]
    if breaks is None:
        edges = np.flatnonzero(turns)
        firsts, ends = edges[::2], edges[1::2]
    else:
        inner = np.zeros(len(whole), bool)
        inner[breaks] = True
        turns |= inner[:-1]
        firsts, ends = (np.flatnonzero(turns & side) for side in (kept[1:], kept[:-1]))
    offsets = np.concatenate([[0], np.cumsum(ends - firsts)])
    stops = np.flatnonzero(np.frombuffer(data, np.uint8) == END_CODE)
    bounds = np.concatenate([[0], np.searchsorted(firsts, stops)])
    return Words(data.translate(None, apart), offsets, bounds)


@cache
def _kinds(apart: bytes) -> bytes:
    """A table by byte: 1 for what tokens are made of."""
    return bytes(byte not in apart for byte in range(256))


def numbered(sides: Sequence[pl.Series], split: Split) -> tuple[list[Tokens], int]:
    """The tokens of several columns of texts, equal ones by one number; and how many numbers.

    Example:
        >>> from batcheval.checks.resemblance.splits import rouge
        >>> (left, right), many = numbered([pl.Series(["b a"]), pl.Series(["a", "!"])], rouge)
        >>> left.ids.tolist(), right.ids.tolist(), right.bounds.tolist(), many
        ([0, 1], [1], [0, 1, 1], 2)
    """
    import pyarrow as pa

    found = [split(joined(once(side))) for side in sides]
    arrays = [
        pa.LargeBinaryArray.from_buffers(
            pa.large_binary(),
            len(words.offsets) - 1,
            [None, pa.py_buffer(words.offsets), pa.py_buffer(words.data)],
        )
        for words in found
    ]
    codes = pa.concat_arrays(arrays).dictionary_encode()
    ids = codes.indices.to_numpy().astype(np.int64)
    parts = np.split(ids, np.cumsum([len(array) for array in arrays])[:-1])
    tokens = [Tokens(part, words.bounds) for part, words in zip(parts, found, strict=True)]
    whole = [spread(one, side) for one, side in zip(tokens, sides, strict=True)]
    return whole, len(codes.dictionary)


def joined(texts: pl.Series) -> str:
    """Texts end to end, `END` behind each instead of their last white space."""
    return "".join([text.replace(END, "\x1f").rstrip() + END for text in texts.to_list()])


def once(texts: pl.Series) -> pl.Series:
    """The first of texts that are all the same, else all."""
    return texts[:1] if len(texts) > 1 and bool((texts == texts[0]).all()) else texts


def spread(tokens: Tokens, texts: pl.Series) -> Tokens:
    """One text's tokens for each of the texts that are all the same."""
    rows = len(texts)
    if len(tokens.bounds) == rows + 1:
        return tokens
    return Tokens(np.tile(tokens.ids, rows), len(tokens.ids) * np.arange(rows + 1))
