"""Which words of a list a text has."""

import re
from collections.abc import Sequence
from functools import lru_cache

import polars as pl

from batcheval.checks.texts.packs import spelled


@lru_cache(maxsize=64)
def _pattern(whole: tuple[str, ...], inside: tuple[str, ...]) -> re.Pattern[str]:
    parts = [rf"(?<![^\W_])(?:{spelled(whole)})(?![^\W_])"] * bool(whole)
    return re.compile("|".join([*parts, spelled(inside)] if inside else parts), re.IGNORECASE)


def listed(texts: pl.Series, whole: Sequence[str], inside: Sequence[str]) -> pl.Series:
    """The words of each text that are among those to be found, each once, in lower case.

    Args:
        texts: with nulls, perhaps, which stay so.
        whole: words that stand by themselves.
        inside: those that may stand anywhere.

    Example:
        >>> listed(pl.Series(["Bad, bad dog", "badly"]), ["bad", "dog"], []).to_list()
        [['bad', 'dog'], []]
    """
    find = _pattern(tuple(whole), tuple(inside)).findall
    found = [
        None if text is None else list(dict.fromkeys(map(str.lower, find(text)))) if text else []
        for text in texts.to_list()
    ]
    return pl.Series(texts.name, found, pl.List(pl.String))
