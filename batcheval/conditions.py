"""Conditions in SQL, as expressions over the columns of the traces."""

import re
from typing import Final

import polars as pl

from batcheval.errors import BadPredicateError
from batcheval.rehearsal import first_line

_QUOTED: Final = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*\"""")
# Quoted text, or an unquoted name with dots or places in it.
_PATH: Final = re.compile(_QUOTED.pattern + r"|[A-Za-z_]\w*(?:\.\w+|\[-?\d+\])+")
_OVER: Final = re.compile(r"\bover\s*\(", re.IGNORECASE)
_QUOTES: Final = "'\""


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
