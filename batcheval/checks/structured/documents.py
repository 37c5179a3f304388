"""The document that a text is, or that stands in it in a fence, and what it holds if it is JSON.

A text is parsed once for all checks of a suite: the column of parsed values is one expression,
which polars computes once for all that are made of it.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import msgspec
import polars as pl

from batcheval.checks.operands import column, flag
from batcheval.checks.structured.sharing import Recent

MOST_DEEP: Final = 500  # arrays and objects in each other; half of what Python's stack holds

_OPENING: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n`]*\n", re.MULTILINE)
_decode: Final = msgspec.json.Decoder(Any).decode


class Parsed(NamedTuple):
    """A JSON document: its value, or why it has none."""

    value: Any
    error: str | None = None


def parse(text: str) -> Parsed:
    """A text as JSON (RFC 8259): of a key that stands twice in an object the last one counts.

    Not read are NaN and Infinity, numbers that no double holds, whole ones of more than 4,300
    digits, halves of surrogate pairs, and what is nested more than 500 deep.

    Example:
        >>> parse('{"a": 1, "a": 2}').value, parse("[NaN]").error
        ({'a': 2}, 'invalid character (byte 1)')
    """
    try:
        value = _decode(text)
    except RecursionError:
        return _TOO_DEEP
    except (msgspec.DecodeError, ValueError) as error:
        return Parsed(None, str(error).removeprefix("JSON is malformed: "))
    many = text.count("[") + text.count("{") > MOST_DEEP
    return _TOO_DEEP if many and _is_deep(value) else Parsed(value)


_TOO_DEEP: Final = Parsed(None, f"nested more than {MOST_DEEP} deep")


def _is_deep(value: object) -> bool:
    level: list[Any] = [value]
    for _ in range(MOST_DEEP):
        level = [inner for outer in level for inner in children(outer)]
        if not level:
            return False
    return True


def children(value: object) -> Iterable[Any]:
    """What an array or an object holds."""
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def bare(text: str) -> str:
    r"""What is in the first code fence of a text, else the text.

    Example:
        >>> bare("So:\n```json\n[1]\n```\nThat is all.")
        '[1]\n'
    """
    opening = _OPENING.search(text)
    if opening is None:
        return text
    closing = re.compile(rf"^ {{0,3}}{opening[1]}[`~]*[ \t]*$", re.MULTILINE)
    end = closing.search(text, opening.end())
    return text[opening.end() : end.start() if end else len(text)]


def texts(on: pl.Expr, fenced: bool) -> pl.Expr:
    """The documents of a column as texts; null stays null.

    Raises:
        BadArgumentError: `fenced` is no Boolean, or `on` no expression.
    """
    text = column("on", on)
    if not flag("fenced", fenced):
        return text
    return mapped(text, bare, pl.String())


def values(on: pl.Expr, fenced: bool) -> pl.Expr:
    """The documents of a column, each `Parsed`, as objects of Python; null stays null.

    Raises:
        BadArgumentError: `fenced` is no Boolean, or `on` no expression.
    """
    flag("fenced", fenced)
    name = on.meta.output_name(raise_if_undetermined=False) if isinstance(on, pl.Expr) else None
    if name is not None and on.meta.eq(pl.col(name)):
        return _values_of(name, fenced)
    return mapped(texts(on, fenced), parse, pl.Object())


@lru_cache(maxsize=64)
def _values_of(name: str, fenced: bool) -> pl.Expr:
    """The very same expression each time: only so does polars compute it once."""
    recent = Recent(lambda batch: each(batch, lambda text: parse(text), pl.Object()))
    text = texts(pl.col(name), fenced)
    return text.map_batches(recent, return_dtype=pl.Object(), is_elementwise=True)


def mapped(text: pl.Expr, function: Callable[[str], Any], dtype: pl.DataType) -> pl.Expr:
    """What a function gives for each text, for equal ones of a batch once; null for null."""
    return text.map_batches(
        lambda batch: each(batch, function, dtype), return_dtype=dtype, is_elementwise=True
    )


def each(batch: pl.Series, function: Callable[[str], Any], dtype: pl.DataType) -> pl.Series:
    """What a function gives for each text of a batch."""
    once = cache(function)
    found = [None if one is None else once(one) for one in batch.to_list()]
    return pl.Series(batch.name, found, dtype=dtype)
