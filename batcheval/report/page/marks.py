"""Two texts side by side: which words differ."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from rapidfuzz.distance import Indel

# A word, a letter of an alphabet without spaces between words, spaces, or one other character.
_TOKEN: Final = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u9fff]+|\s+|.", re.S
)


class Piece(NamedTuple):
    """A part of a text, and whether the other text lacks it."""

    text: str
    differs: bool


def marked(left: str, right: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces, those of which the other has no counterpart in place marked.

    The words kept are a longest common subsequence (insertions and deletions of rapidfuzz).

    Example:
        >>> left, right = marked("It is Rome.", "It is Paris.")
        >>> [piece.text for piece in left if piece.differs], right[0]
        (['Rome'], Piece(text='It is ', differs=False))
    """
    ours, theirs = _TOKEN.findall(left), _TOKEN.findall(right)
    first, second = [], []
    for step in Indel.opcodes(ours, theirs):
        differs = step.tag != "equal"
        first += [Piece(token, differs) for token in ours[step.src_start : step.src_end]]
        second += [Piece(token, differs) for token in theirs[step.dest_start : step.dest_end]]
    return _joined(first), _joined(second)


def _joined(tokens: Sequence[Piece]) -> list[Piece]:
    """Neighbours that are marked alike as one; spaces between two marked words are marked too."""
    pieces: list[Piece] = []
    for place, (text, differs) in enumerate(tokens):
        if not differs and text.isspace() and 0 < place < len(tokens) - 1:
            differs = tokens[place - 1].differs and tokens[place + 1].differs
        if pieces and pieces[-1].differs == differs:
            pieces[-1] = Piece(pieces[-1].text + text, differs)
        else:
            pieces.append(Piece(text, differs))
    return pieces
