"""What the linear engine matches by one item, written out over all code points."""

from array import array
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain

import polars as pl

BASES = (
    "",
    r"\w",
    r"\d",
    r"\p{L}",
    r"\p{Lu}",
    r"\p{Ll}",
)  # what a class may be told as a change of
FEW = 24  # edges; a class with no more is quick enough when written out


@lru_cache(maxsize=4096)
def character_class(item: str) -> str:
    r"""Spell for the `regex` package (V1, case-sensitive) what `item` matches in the linear engine.

    Args:
        item: a pattern that the linear engine reads and that matches one character at a time.

    Example:
        >>> character_class("[a-c]|é")
        '[\\U00000061-\\U00000063\\U000000e9]'
    """
    edges = _edges(_every_text().str.extract_all(f"(?:{item})+")[0].to_list())
    bases = BASES if len(edges) > FEW else BASES[:1]
    return min((_spelled(edges, base) for base in bases), key=len)


@lru_cache(maxsize=4096)
def case_class(item: str) -> str:
    r"""The same for an `item` that matches one cased letter and what folds together with it.

    Example:
        >>> case_class("(?i:k)")
        '[\\U0000004b\\U0000006b\\U0000212a]'
    """
    return _spelled(_edges(pl.Series([cased()]).str.extract_all(item)[0].to_list()), "")


@cache
def cased() -> str:
    """All characters that fold together with another one.

    Of those that fold together, all but one change when folded; `(?i)` brings in that one.
    """
    return "".join(_every_text().str.extract_all(r"(?i:\p{Changes_When_Casefolded})")[0])


def _edges(runs: Iterable[str]) -> frozenset[int]:
    """Where a set of characters starts and stops: so `^` of two sets is that of their edges.

    Args:
        runs: the set's characters, in stretches without a gap (other than that of the surrogates).
    """
    edges: set[int] = set()
    for run in runs:
        edges ^= {ord(run[0]), ord(run[-1]) + 1}
    return frozenset(edges)


def _spelled(edges: frozenset[int], base: str) -> str:
    """A bracketed class, told as what differs from a class that the `regex` package knows."""
    ends = sorted(edges ^ _edges_of(base))
    pairs = zip(ends[::2], [stop - 1 for stop in ends[1::2]], strict=True)
    changes = "".join(
        rf"\U{low:08x}" if low == high else rf"\U{low:08x}-\U{high:08x}" for low, high in pairs
    )
    if base:
        return f"[{base}~~[{changes}]]" if changes else f"[{base}]"
    return f"[{changes}]" if changes else "(?!)"


@cache
def _edges_of(base: str) -> frozenset[int]:
    """The edges of a class as the `regex` package knows it."""
    import regex

    found = regex.finditer(f"[{base}]+", _every_character(), regex.V1) if base else ()
    return _edges(match[0] for match in found)


@cache
def _every_character() -> str:
    """Every character that a text can hold, in order: all code points but the surrogates."""
    codes = array("I", chain(range(0xD800), range(0xE000, 0x110000)))
    return codes.tobytes().decode("utf-32")


@cache
def _every_text() -> pl.Series:
    """The same as a Series of one text, since each conversion would cost more than a search."""
    return pl.Series([_every_character()])
