"""By what a score is computed: polars alone, functions over batches, or a backtracking search."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import polars as pl

from batcheval.checks.regexes import is_backtracking
from batcheval.rehearsal import is_python

Way: TypeAlias = Literal["expression", "kernel", "backtracking"]

WAYS: Final[Mapping[Way, str]] = {
    "expression": "polars expressions alone",
    "kernel": "a Python function over batches",
    "backtracking": "a backtracking search, row by row (look-around or back-references)",
}


def way_of(expr: pl.Expr) -> Way:
    """The slowest of the ways in which an expression is computed.

    Example:
        >>> from batcheval.checks import includes, matches, tone
        >>> [way_of(s.score) for s in (includes("a"), tone(), matches("(?!.*no)yes"))]
        ['expression', 'kernel', 'backtracking']
    """
    if is_backtracking(expr):
        return "backtracking"
    return "kernel" if is_python(expr) else "expression"
