"""What the tagger looks at: a word, those around it, and how they are joined, as table slots."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from batcheval.checks.elements.spelling import END, NEWLINE, START
from batcheval.checks.elements.tokens import Tokens

SLOT_BITS: Final = 18
EDGE: Final = 0x5BD1E995  # stands for a word past the beginning or the end of a sentence
REACH: Final = 3  # words to either side that count

_ENDS: Final = np.isin(np.arange(16), [END, NEWLINE, START])
_ODD: Final = np.uint32(0x01000193)
_MIX: Final = np.uint32(0x85EBCA6B)

# Each line one feature: `o` is the word itself, `c` its class, `k` the word if it is a common one
# and else its class, `g` a coarse class; `s` the spelling, `j` what joins the word to the one
# before. Digits are places: `k-1` is the word before, `j+1` what comes between it and the next.
FEATURES: Final = """
o0 | c0 | c0 s0 e0 | c0 j0 | c0 j+1 | o0 s0
k-1 c0 | k+1 c0 | k-1 o0 | k+1 o0 | k-1 c0 k+1 | k-2 k-1 c0 | c0 k+1 k+2
g-2 g-1 c0 g+1 | g-1 c0 g+1 g+2 | g-3 g-2 g-1 c0
k-2 c0 | k+2 c0 | k-1 j0 c0 | k+1 j+1 c0 | c-1 s0 s-1 c0 | c0 c+1 s+1
o0 k-1 g+1 | o0 g-1 k+1
"""
TEMPLATES: Final = [line.split() for line in FEATURES.strip().replace("\n", "|").split("|")]


class WordKeys(NamedTuple):
    """Of each distinct word the number that stands for it in features of a kind."""

    o: NDArray[np.uint32]
    c: NDArray[np.uint32]
    k: NDArray[np.uint32]
    g: NDArray[np.uint32]


def slots(tokens: Tokens, keys: WordKeys, at: NDArray[Any]) -> Iterator[NDArray[np.uint32]]:
    """The slots of the words at the places `at`: an array for each feature."""
    parts = _parts(tokens, keys, at)
    for number, names in enumerate(TEMPLATES):
        slot = np.full(len(at), 0x9E3779B9 * (number + 1) & 0xFFFFFFFF, np.uint32)
        for name in names:
            slot ^= parts[name]
            slot *= _ODD
            slot ^= slot >> np.uint32(15)
        slot *= _MIX
        yield slot >> np.uint32(32 - SLOT_BITS)


def _parts(tokens: Tokens, keys: WordKeys, at: NDArray[Any]) -> dict[str, NDArray[np.uint32]]:
    breaks, edge = _ENDS[tokens.gaps], len(tokens.vocabulary)
    before, after = _room(breaks)
    columns = {kind: np.append(key, np.uint32(EDGE)) for kind, key in keys._asdict().items()}
    parts = {"e0": breaks[at].astype(np.uint32), "j0": tokens.gaps[at].astype(np.uint32)}
    parts["j+1"] = np.append(tokens.gaps[1:], START).astype(np.uint32)[at]
    for step in range(-REACH, REACH + 1):
        room = before[at] >= -step if step < 0 else after[at] >= step
        place = np.where(room, at + step, 0)
        word = np.where(room, tokens.words[place], edge)
        sign = f"{step:+}" if step else "0"
        for kind in {name[0] for names in TEMPLATES for name in names if name[1:] == sign} & {
            *"ockg"
        }:
            parts[f"{kind}{sign}"] = columns[kind][word]
        if abs(step) < 2:
            parts[f"s{sign}"] = np.where(room, tokens.shapes[place], 9).astype(np.uint32)
    return parts


def _room(breaks: NDArray[np.bool_]) -> tuple[NDArray[Any], NDArray[Any]]:
    """How many words of its sentence stand before and after each word."""
    size = len(breaks)
    places = np.arange(size)
    first = np.maximum.accumulate(np.where(breaks, places, 0))
    ends = np.append(np.where(breaks[1:], places[:-1], size - 1), size - 1)[:size]
    last = np.minimum.accumulate(ends[::-1])[::-1]
    return places - first, last - places
