"""Texts as their characters, for n-grams of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from batcheval.checks.resemblance.tokens import END, END_CODE, Ints, Tokens, joined, once, spread


def characters(sides: Sequence[pl.Series]) -> tuple[list[Tokens], int]:
    """The characters of texts without their white space, as `numbered`.

    Example:
        >>> (left,), many = characters([pl.Series(["a b", "a"])])
        >>> left.ids[[0, 2]].tolist(), left.bounds.tolist()
        ([97, 97], [0, 2, 3])
    """
    texts = [joined(once(side)) for side in sides]
    codes = [_codes(text) for text in texts]
    parts, size = _without_gaps(codes)
    tokens = []
    for side, chars, ids in zip(sides, codes, parts, strict=True):
        ends = np.flatnonzero(chars == END_CODE)
        bounds = np.concatenate([[0], ends - np.arange(len(ends))])
        tokens.append(spread(Tokens(ids[chars != END_CODE], bounds), side))
    return tokens, size


def _codes(text: str) -> NDArray[Any]:
    if text.isascii():
        data = text.encode().translate(None, b"\t\n\v\f\r\x1c\x1d\x1f ")
        return np.frombuffer(data, np.uint8)
    bare = END.join("".join(one.split()) for one in text.split(END))
    return np.frombuffer(bare.encode("utf-32-le"), "<u4")


def _without_gaps(codes: Sequence[NDArray[Any]]) -> tuple[list[Ints], int]:
    if all(side.dtype == np.uint8 for side in codes):
        return [side.astype(np.int64) for side in codes], 128
    known = np.zeros(1 + max(int(side.max(initial=0)) for side in codes), bool)
    for side in codes:
        known[side] = True
    numbers = np.cumsum(known, dtype=np.int64) - 1
    return [numbers[side] for side in codes], int(known.sum())
