"""Where texts are cut into tokens: as ROUGE, SQuAD and BLEU have it."""

import re
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from batcheval.checks.resemblance.tokens import Words, split_at

Flags: TypeAlias = NDArray[np.bool_]

# Scripts without spaces between words: each character is a word.
_CJK: Final = re.compile("([\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3041-\u30ff\u31f0-\u31ff"
                         "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
                         "\U00020000-\U000323af])")  # fmt: skip
_OTHER_SPACES: Final = re.compile(r"[^\S\x00-\x7f]")
_ARTICLES: Final = re.compile(r"\b(?:a|an|the)\b")
_NO_WORD: Final = re.compile(r"[^\w\x1e]+|_+")


SPACES: Final = b"\t\n\v\f\r\x1c\x1d\x1e\x1f "
_ALNUM: Final = b"0123456789abcdefghijklmnopqrstuvwxyz"
_NO_ALNUM: Final = bytes(byte for byte in range(256) if byte not in _ALNUM)
_PUNCTUATION: Final = bytes(c for c in range(0x21, 0x7F) if not chr(c).isalnum())
_POINTS: Final = b".,"
# By byte: what BLEU takes apart wherever it stands, what it looks at, digits.
_MARK, _POINT, _HYPHEN, _DIGIT = range(1, 5)
_KINDS: Final = bytes(
    _DIGIT if byte in _ALNUM[:10]
    else _POINT if byte in _POINTS
    else _HYPHEN if byte == ord("-")
    else _MARK if byte in _PUNCTUATION and byte != ord("'")
    else 0
    for byte in range(256)
)  # fmt: skip


def rouge(text: str) -> Words:
    r"""Runs of a-z and 0-9 in lower case, as in `rouge-score`.

    Example:
        >>> rouge("The café's 2!\x1e").data
        b'thecafs2'
    """
    return split_at(text.lower().encode(), _NO_ALNUM)


def words(text: str) -> Words:
    r"""Runs of letters and digits of any script in lower case; a CJK character is a word.

    Example:
        >>> words("Café, 天気\x1e").offsets.tolist()
        [0, 5, 8, 11]
    """
    if not text.isascii():
        return _at_spaces(_CJK.sub(r" \1 ", _NO_WORD.sub(" ", text.lower())))
    return rouge(text)


def answer(text: str) -> Words:
    r"""As SQuAD and HELM normalise answers: without case, marks of ASCII or English articles.

    Example:
        >>> answer("The end of an era.\x1e").data
        b'endofera'
    """
    data = text.lower().encode().translate(None, _PUNCTUATION)
    if not data.translate(None, _ALNUM + SPACES):
        return _without_articles(split_at(data, SPACES))
    return _at_spaces(_ARTICLES.sub(" ", data.decode()))


def squad(text: str) -> Words:
    """`answer`, and each CJK character is a word."""
    return answer(text if text.isascii() else _CJK.sub(r" \1 ", text))


def _without_articles(found: Words) -> Words:
    """Dropped as whole words, which takes a tenth of the time where words have but letters."""
    starts, sizes = found.offsets[:-1], np.diff(found.offsets)
    dropped = np.zeros(len(starts), bool)
    chars = np.frombuffer(found.data + bytes(2), np.uint8)
    for article in (b"a", b"an", b"the"):
        rows = np.flatnonzero(sizes == len(article))
        for place, byte in enumerate(article):
            rows = rows[chars[starts[rows] + place] == byte]
        dropped[rows] = True
    data = chars[:-2][np.repeat(~dropped, sizes)].tobytes()
    before = np.concatenate([[0], np.cumsum(~dropped)])
    return Words(data, np.concatenate([[0], np.cumsum(sizes[~dropped])]), before[found.bounds])


def bleu(text: str) -> Words:
    r"""As mteval-v13a has it, and `sacrebleu` after it.

    Marks are tokens of their own; full stops and commas unless they are between digits, a hyphen
    after a digit. Of several full stops and commas in a row, that takes them by twos.

    Example:
        >>> bleu("I paid $3.50, really\x1e").offsets.tolist()
        [0, 1, 5, 6, 10, 11, 17]
    """
    data = _spelled(text).encode()
    kinds = np.frombuffer(data.translate(_KINDS), np.uint8)
    marks, points, hyphens = (np.flatnonzero(kinds == k) for k in (_MARK, _POINT, _HYPHEN))
    hyphens = hyphens[kinds[hyphens - 1] == _DIGIT]
    glued, cut_off = _glued(points, kinds == _DIGIT)
    alone = np.concatenate([marks, hyphens, points[~glued]])
    return split_at(data, SPACES, np.concatenate([alone, alone + 1, points[cut_off]]))


def _glued(points: Any, digits: Flags) -> tuple[Flags, Flags]:
    """Which points stay with the digit behind them, and which of these are cut off in front."""
    if not len(points):
        return np.zeros(0, bool), np.zeros(0, bool)
    first = np.diff(points, prepend=-2) != 1
    begin = np.flatnonzero(first)[np.cumsum(first) - 1]
    place = np.arange(len(points)) - begin  # in its run, from 0
    after_digit = digits[points[begin] - 1]  # before the first byte is the last one, an `END`
    is_last = np.append(first[1:], True)
    is_glued = is_last & ((place % 2 == 1) != after_digit) & digits[points + 1]
    return is_glued, is_glued & (place > 0)


def _spelled(text: str) -> str:
    """BLEU's other rules: what is dropped, what white space is, what entities stand for."""
    text = text.replace("<skipped>", "").replace("-\n", "")
    for entity, char in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, char)
    return text if text.isascii() else _OTHER_SPACES.sub(" ", text)


def _at_spaces(text: str) -> Words:
    return split_at((text if text.isascii() else _OTHER_SPACES.sub(" ", text)).encode(), SPACES)
