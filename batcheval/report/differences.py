"""Where two texts differ, word by word."""

import re
from difflib import SequenceMatcher
from typing import Final

_WORD: Final = re.compile(r"\S+\s*|\s+")


def differences(old: str, new: str) -> list[tuple[str, str]]:
    """What `new` leaves out of `old`, and what it says instead, in the order of the texts.

    Returns:
        Pieces that in turn make up both texts: `same`, `left out` or `new`, each with its text.

    Source: the matching blocks of Ratcliff and Metzener 1988, "Pattern Matching: The Gestalt
    Approach", as `difflib` finds them.

    Example:
        >>> differences("It is sunny now.", "It was sunny now.")
        [('same', 'It '), ('left out', 'is '), ('new', 'was '), ('same', 'sunny now.')]
    """
    left, right = _WORD.findall(old), _WORD.findall(new)
    pieces = []
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        if kind == "equal":
            pieces.append(("same", "".join(left[start:end])))
            continue
        pieces.append(("left out", "".join(left[start:end])))
        pieces.append(("new", "".join(right[other_start:other_end])))
    return [(kind, text) for kind, text in pieces if text]


def marked(old: str, new: str) -> str:
    """Both texts in one: what is left out in `[-…-]`, what is new in `{+…+}`.

    Example:
        >>> marked("It is sunny now.", "It was sunny.")
        'It [-is sunny now.-]{+was sunny.+}'
    """
    signs = {"same": ("", ""), "left out": ("[-", "-]"), "new": ("{+", "+}")}
    return "".join(text.join(signs[kind]) for kind, text in differences(old, new))
