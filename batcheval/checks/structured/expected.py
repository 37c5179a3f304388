"""The JSON that a check is given to hold an output against."""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

import msgspec
import polars as pl

from batcheval.checks.structured.documents import Parsed, parse, values
from batcheval.checks.structured.verdicts import compared, judged
from batcheval.errors import BadArgumentError

Judge = Callable[[Parsed, Any], object]


def json_value(name: str, value: object) -> Any:
    """A literal argument as a value: a text is JSON, anything else what it is.

    Raises:
        BadArgumentError: the text is no JSON, or the value cannot be written as JSON.

    Example:
        >>> json_value("expected", '{"a": 1}'), json_value("expected", [1])
        ({'a': 1}, [1])
    """
    try:
        if not _is_plain(value):
            raise BadArgumentError(name, "JSON text, or made of what JSON can hold", value)
        text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
        raise BadArgumentError(name, "made of what JSON can hold", value) from None
    found = parse(text)
    if found.error is not None:
        raise BadArgumentError(name, f"JSON ({found.error})", value)
    return found.value


def _is_plain(value: object) -> bool:
    """No sets, to which the encoder would give some order, nor NaN, which it would make null."""
    if isinstance(value, float):
        return isfinite(value)
    if isinstance(value, set | frozenset):
        return False
    if isinstance(value, Mapping):
        return all(map(_is_plain, value.values()))
    return not isinstance(value, list | tuple) or all(map(_is_plain, value))


def against(
    documents: pl.Expr,
    name: str,
    expected: object,
    judge: Judge,
    dtype: Any,
    read: Callable[[Any], Any] = lambda value: value,
) -> pl.Expr:
    """What a function says of each document and of the value that it is held against.

    Args:
        documents: see `values`.
        name: the argument.
        expected: a literal; or an expression with JSON text per row, null or no JSON where a row
            has no expectation.
        judge: gets a document, which may be no JSON, and what was read of the expected value.
        dtype: of what it says.
        read: prepares an expected value; a `ValueError` says that it is none.

    Raises:
        BadArgumentError: a literal is no JSON.
        ValueError: raised by `read` of a literal.
    """
    if not isinstance(expected, pl.Expr):
        wanted = read(json_value(name, expected))
        return judged(documents, lambda one: judge(one, wanted), dtype)

    def run(one: Parsed, other: Parsed) -> object:
        try:
            return None if other.error is not None else judge(one, read(other.value))
        except ValueError:
            return None

    return compared(documents, values(expected, False), run, dtype)
