"""Checks of whether the output is code that can be parsed."""

from functools import partial

import polars as pl

from batcheval.checks.structured.grammars import python_error, sql_error
from batcheval.checks.structured.sql import dialect_named
from batcheval.checks.structured.verdicts import well_formed
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, check

__all__ = ["is_python", "is_sql"]


@check
def is_python(*, fenced: bool = False, on: pl.Expr = OUTPUT) -> Verdict:
    """The output is Python: 1.0, else 0.0.

    As the running Python's parser reads it, syntax alone; nothing is run. A blank text is none,
    nor is what is nested too deeply for the parser. One of more than 2^20 characters is unscored.
    Details: `valid`, `error`.

    Args:
        fenced: as in `is_xml`.
        on: the text to look at instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ["print('hello')", "print 'hello'"]})
        >>> traces.select(is_python().score).to_series().to_list()
        [1.0, 0.0]
    """
    return well_formed("Python", python_error, on, fenced)


@check
def is_sql(*, dialect: str = "", fenced: bool = False, on: pl.Expr = OUTPUT) -> Verdict:
    """The output is SQL, one statement or more: 1.0, else 0.0.

    As the package `sqlglot` reads it (`pip install 'batcheval[sql]'`): queries, changes of data,
    and CREATE, ALTER, DROP. What it takes unread (SHOW, VACUUM), and a bare expression, as any
    word is, do not count. No table is looked up. A text of more than 100,000 characters is
    unscored. Details: `valid`, `error`.

    Args:
        dialect: one of sqlglot's, such as "postgres", "duckdb" or "tsql"; else its own, a mixture.
        fenced: as in `is_xml`.
        on: the text to look at instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: there is no such dialect, or an argument is of the wrong type.
        MissingPackageError: sqlglot is not installed.

    Example:
        >>> traces = pl.DataFrame({"output": ["select a from t where b > 1", "select from from"]})
        >>> traces.select(is_sql().score).to_series().to_list()
        [1.0, 0.0]
    """
    read = partial(sql_error, dialect=dialect_named(dialect))
    return well_formed("SQL", read, on, fenced)
