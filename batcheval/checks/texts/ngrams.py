"""Repeated stretches of words: shares of n-grams, the most common one, and loops."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import numpy as np
import polars as pl

FOUND: Final = pl.Struct(
    {"repeated": pl.Float64, "most": pl.String, "times": pl.Int64, "loop": pl.Int64}
)
PERIOD: Final = 50  # words of the longest stretch that is looked for in a row
_SPACED: Final = bytes(byte if chr(byte).isalnum() and byte < 128 else 32 for byte in range(256))
# Thai, Lao, Myanmar, Khmer; kana, Han and its compatibility forms: a character and its marks.
_ALONE: Final = (
    "\u0e00-\u0e4f\u0e80-\u0ecf\u1000-\u109f\u1780-\u17d3\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_WORD: Final = re.compile(rf"[{_ALONE}]|[^\W_{_ALONE}]+")


def words(text: str) -> list[Any]:
    """The words of a text in lower case: of bytes if it is ASCII, which is quicker.

    Example:
        >>> words("So it is"), words("日本 é")
        ([b'so', b'it', b'is'], ['日', '本', 'é'])
    """
    if text.isascii():
        return text.lower().encode().translate(_SPACED).split()
    return _WORD.findall(text.lower())


def _grams(found: list[Any], n: int) -> Iterator[tuple[Any, ...]]:
    return zip(*(islice(found, start, None) for start in range(n)), strict=False)


def shares(texts: pl.Series, n: int) -> list[float | None]:
    """The share of each text's n-grams that came before: 0.0 without any.

    Example:
        >>> shares(pl.Series(["a b a b a b", "a"]), 2)
        [0.6, 0.0]
    """
    return [None if text is None else _share(words(text), n) for text in texts.to_list()]


def _share(found: list[Any], n: int) -> float:
    total = len(found) - n + 1
    return 1 - len(set(_grams(found, n))) / total if total > 0 else 0.0


def evidence(texts: pl.Series, n: int) -> pl.Series:
    """What each text repeats, as `FOUND`."""
    rows = [None if text is None else _evidence(words(text), n) for text in texts.to_list()]
    return pl.Series(texts.name, rows, FOUND)


def commonest(texts: pl.Series, n: int) -> pl.Series:
    """The n-gram that comes most often in each text; null without any."""
    rows = [None if text is None else _most(words(text), n)[0] for text in texts.to_list()]
    return pl.Series(texts.name, rows, pl.String)


def _most(found: list[Any], n: int) -> tuple[str | None, int]:
    (most, times), *_ = Counter(_grams(found, n)).most_common(1) or [((), 0)]
    spelled = [word.decode() if isinstance(word, bytes) else word for word in most]
    return " ".join(spelled) or None, times


def _evidence(found: list[Any], n: int) -> dict[str, object]:
    most, times = _most(found, n)
    return {"repeated": _share(found, n), "most": most, "times": times, "loop": loops(found)}


def loops(found: list[Any]) -> int:
    """How often the stretch that most often follows itself stands in a row: at least 1.

    Example:
        >>> loops("a b a b a b c".split()), loops("a b c".split())
        (3, 1)
    """
    numbers: dict[Any, int] = {}
    ids = np.array([numbers.setdefault(word, len(numbers)) for word in found])
    best = 1
    for period in range(1, min(PERIOD, len(found) // 2) + 1 if len(numbers) < len(found) else 1):
        breaks = np.flatnonzero(ids[period:] != ids[:-period])
        longest = np.diff(breaks, prepend=-1, append=len(ids) - period).max() - 1
        best = max(best, int(longest) // period + 1)
    return best
