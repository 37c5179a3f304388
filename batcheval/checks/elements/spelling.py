"""Tables by byte: what counts as a letter, what stands between words, how a word is spelled."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

# How a word stands to the one before it.
SPACE, APOSTROPHE, HYPHEN, DOT, JOINED, COMMA, COLON, PAREN, QUOTE = range(9)
END, NEWLINE, DASH, START, OTHER, UNDERSCORE = range(9, 15)

# How a word is spelled: lower case, one capital at its head, more of them, a digit at its head.
LOWER, TITLE, UPPER, DIGIT = range(4)


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
LOWERED: Final = _table(_WORDS, [ord(char) for char in _WORDS.lower()]).tobytes()
ALONE, AROUND, SHAPES = _alone(), _around(), _shape()
