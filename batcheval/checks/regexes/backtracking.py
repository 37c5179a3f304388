"""The search by the `regex` package, row by row and with a time limit."""

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import polars as pl

from batcheval.checks.regexes.dialect import translate
from batcheval.errors import BadPatternError

if TYPE_CHECKING:
    import regex

ROW_SECONDS = 1.0  # what a row may take; one that runs out of it is unscored

_NAME: Final = "batcheval.backtracking"  # of the text as it is handed over, which expressions show


@lru_cache(maxsize=256)
def compiled(pattern: str) -> "regex.Pattern[str]":
    """A pattern, translated, in the backtracking engine."""
    import regex  # here, since most tables never need it

    told = translate(pattern)
    try:
        return regex.compile("".join(told.pieces), regex.V1)
    except regex.error as error:
        said = vars(error)  # msg and pos, which the stubs leave out
        place = None if said["pos"] is None else told.origin(said["pos"])
        raise BadPatternError(pattern, said["msg"], place) from error
    except RecursionError as error:
        raise BadPatternError(pattern, "its groups are nested too deep") from error


def backtrack(text: pl.Expr, pattern: "regex.Pattern[str]") -> pl.Expr:
    """The search by the backtracking engine, row by row."""

    def find(row: str | None) -> bool | None:
        if row is None:
            return None
        try:
            return pattern.search(row, timeout=ROW_SECONDS) is not None
        except TimeoutError:
            return None

    def run(batch: pl.Series) -> pl.Series:
        return pl.Series(batch.name, [find(row) for row in batch], dtype=pl.Boolean)

    name = text.meta.output_name(raise_if_undetermined=False) or ""
    found = text.alias(_NAME).map_batches(run, return_dtype=pl.Boolean, is_elementwise=True)
    return found.alias(name)


def is_backtracking(expr: pl.Expr) -> bool:
    """Whether the backtracking engine searches somewhere in an expression.

    Example:
        >>> is_backtracking(backtrack(pl.col("output"), compiled("a(?!b)")))
        True
    """
    return f'.alias("{_NAME}").python_udf()' in str(expr)
