"""Conditions in SQL, as expressions over the columns of the traces."""

import re
from typing import Final

import polars as pl

from batcheval.errors import BadPredicateError, WrongKindError
from batcheval.rehearsal import first_line

_QUOTED: Final = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*\"""")
# Quoted text, or an unquoted name with dots or places in it.
_PATH: Final = re.compile(_QUOTED.pattern + r"|[A-Za-z_]\w*(?:\.\w+|\[-?\d+\])+")
_OVER: Final = re.compile(r"\bover\s*\(", re.IGNORECASE)
_QUOTES: Final = "'\""
TRUTH: Final = "true or false"
NUMBER: Final = "a number"
NULL: Final = "null"


def predicate(sql: str) -> pl.Expr:
    """A SQL expression over the columns of the traces; paths such as `metadata.city` are columns.

    It is one expression on the columns of its row: no query in it, no list of columns.

    Raises:
        BadPredicateError: it is anything else.

    Example:
        >>> predicate("latency_ms > 500 and metadata.city = 'Lyon'").meta.root_names()
        ['latency_ms', 'metadata.city']
    """
    if _OVER.search(_QUOTED.sub("''", sql)):
        raise BadPredicateError(sql, "it looks at other rows, by 'over'")
    named = _PATH.sub(lambda m: m[0] if m[0][0] in _QUOTES else f'"{m[0]}"', sql)
    try:
        expr = pl.sql_expr(named)
    except pl.exceptions.PolarsError as error:
        raise BadPredicateError(sql, first_line(error)) from error
    if ".subplan(" in str(expr):
        raise BadPredicateError(sql, "it has a query of its own in it")
    if expr.meta.has_multiple_outputs():
        raise BadPredicateError(sql, "it stands for several columns")
    return expr


def truth(name: str, expr: pl.Expr, spelled: str) -> pl.Expr:
    """An expression that must be true or false; else `WrongKindError` before any row is read.

    Args:
        name: the argument that it is given as.
        expr: the expression.
        spelled: the same as its author wrote it.
    """
    return _of_kind(name, expr, spelled, (TRUTH,), TRUTH)


def truth_or_number(name: str, expr: pl.Expr, spelled: str) -> pl.Expr:
    """An expression that must be true or false or a number, as `truth`.

    Example:
        >>> text = truth_or_number("sql", pl.col("output"), "output")
        >>> pl.DataFrame({"output": ["a"]}).select(text)
        Traceback (most recent call last):
        batcheval.errors.checks.WrongKindError: 'sql' must be true or false, or a number from 0 to \
1, but 'output' is a text
    """
    wanted = f"{TRUTH}, or {NUMBER} from 0 to 1"
    return _of_kind(name, expr, spelled, (TRUTH, NUMBER), wanted)


def _of_kind(
    name: str, expr: pl.Expr, spelled: str, kinds: tuple[str, ...], wanted: str
) -> pl.Expr:
    def same(given: pl.Expr, dtype: pl.DataType) -> pl.Expr:
        if (kind := kind_of(dtype)) not in (*kinds, NULL):
            short = " ".join(spelled.split())[:100]
            raise WrongKindError(f"'{name}' must be {wanted}, but '{short}' is {kind}")
        return given

    return expr.pipe_with_dtype(same)


def kind_of(dtype: pl.DataType) -> str:
    """What the values of a type are, in words.

    Example:
        >>> [kind_of(dtype) for dtype in (pl.Boolean(), pl.Float64(), pl.List(pl.String))]
        ['true or false', 'a number', 'a list']
    """
    if dtype.is_numeric():
        return NUMBER
    kinds = {
        pl.Boolean: TRUTH,
        pl.Null: NULL,
        pl.List: "a list",
        pl.Array: "a list",
        pl.Struct: "a struct",
        pl.Duration: "a duration",
    }
    if dtype.is_temporal() and dtype != pl.Duration:
        return "a time"
    return kinds.get(type(dtype), "a text")
