r"""A regex search as an expression: in linear time where that can be, backtracking where it must.

Two engines, one language. The first is polars' own (the Rust regex crate: linear time, Unicode). It
has no look-around, back-references, atomic groups, possessive quantifiers, conditions or `(?#…)`: a
pattern with any of these goes to the `regex` package, translated (see `dialect`) so that all that
the linear engine has too means the same there: classes, boundaries, line ends, scoped flags, case
folding (simple: `(?i)ß` is `ẞ`, never `ss`). There a row has `ROW_SECONDS`, and is unscored if they
run out. What the engines do not share:

- `a++` is possessive, as in every other dialect that has it; the Rust crate would read `(?:a+)+`
  (and does so in patterns per row).
- A back-reference under `(?i)` folds case by the tables of the `regex` package, whose Unicode
  version may differ from that of polars.
"""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import polars as pl

from batcheval.checks.dialect import linear_outline, refusal, tokens, translate
from batcheval.errors import BadPatternError

if TYPE_CHECKING:
    import regex

ROW_SECONDS = 1.0  # what a row may take in the backtracking engine

_MAY_BE_POSSESSIVE = re.compile(r"[*+?}]\+")
_MAY_BE_BEYOND = {  # what the linear engine says at the start of that which only the other one has
    "look-around, including look-ahead and look-behind, is not supported",
    "backreferences are not supported",
    "unrecognized flag",
    "unrecognized escape sequence",
}


def search(text: pl.Expr, pattern: str | pl.Expr, *, exact: bool = False) -> pl.Expr:
    """Whether `pattern` is found in `text`, or with `exact` is all of it: Boolean, null = unscored.

    Args:
        text: a String expression; a null is unscored.
        pattern: one for the table, judged at once; or an expression with one per row, which the
            linear engine alone runs: a row whose pattern is null, or refused by it, is unscored.
        exact: the match must begin and end with the text, a final newline included.

    Raises:
        BadPatternError: neither engine reads the pattern.

    Example:
        >>> frame = pl.DataFrame({"output": ["It is Paris.", "paris", None]})
        >>> frame.select(search(pl.col("output"), "(?i)paris", exact=True))["output"].to_list()
        [False, True, None]
    """
    if isinstance(pattern, pl.Expr):
        return _search_per_row(text, pattern, exact)
    if not is_linear(pattern):
        return _backtrack(text, _compiled(pattern, exact))
    return text.str.contains(_whole(pattern) if exact else pattern, literal=False, strict=True)


@lru_cache(maxsize=1024)
def is_linear(pattern: str) -> bool:
    """Whether the linear engine runs `pattern`; if not, it takes the slow path.

    Raises:
        BadPatternError: neither engine reads the pattern.

    Example:
        >>> is_linear("Paris|Lyon"), is_linear("(?!.*Lyon)Paris")
        (True, False)
    """
    refused = refusal(pattern)
    if refused is None and not _MAY_BE_POSSESSIVE.search(pattern):
        return True
    if refused and refused.reason not in _MAY_BE_BEYOND:
        raise BadPatternError(pattern, *refused)
    found = tokens(pattern)
    is_beyond = any(token.is_beyond for token in found)
    if refused := refusal(linear_outline(pattern, found)):
        raise BadPatternError(pattern, *refused)
    if is_beyond:
        _compiled(pattern, exact=False)
    return not is_beyond


def _whole(pattern: str) -> str:
    """A pattern of the linear engine made to match the whole text or nothing of it."""
    for end in ")$", "\n)$":  # a newline, where it ends in a comment of verbose mode
        if refusal(f"^(?:{pattern}{end}") is None:
            return f"^(?:{pattern}{end}"
    raise BadPatternError(pattern, "too big or too deep once it is to match the whole text")


def _search_per_row(text: pl.Expr, pattern: pl.Expr, exact: bool) -> pl.Expr:
    """A pattern of its own for each row, by the linear engine."""
    found = text.str.contains(pattern, literal=False, strict=False)
    if exact:
        # Only patterns that can be read by themselves: "a)|(b" could be, once it is wrapped.
        readable = pl.when(found.is_not_null()).then(pattern)
        plain = _contains_whole(text, readable, ")$")
        # What could be read by itself but not wrapped ends in a comment of verbose mode.
        found = pl.coalesce(
            plain, _contains_whole(text, pl.when(plain.is_null()).then(readable), "\n)$")
        )
    return pl.when(text.is_not_null() & pattern.is_not_null()).then(found)


def _contains_whole(text: pl.Expr, pattern: pl.Expr, end: str) -> pl.Expr:
    whole = pl.concat_str(pl.lit("^(?:"), pattern, pl.lit(end))
    return text.str.contains(whole, literal=False, strict=False)


@lru_cache(maxsize=256)
def _compiled(pattern: str, exact: bool) -> "regex.Pattern[str]":
    """A pattern, translated, in the backtracking engine."""
    import regex  # here, since most tables never need it

    told = translate(pattern)
    lead, end = (r"\A(?:", r")\Z") if exact else ("", "")
    try:
        return regex.compile(lead + "".join(told.pieces) + end, regex.V1)
    except regex.error as error:
        said = vars(error)  # msg and pos, which the stubs leave out
        place = None if said["pos"] is None else told.origin(said["pos"] - len(lead))
        raise BadPatternError(pattern, said["msg"], place) from error
    except RecursionError as error:
        raise BadPatternError(pattern, "its groups are nested too deep") from error


def _backtrack(text: pl.Expr, compiled: "regex.Pattern[str]") -> pl.Expr:
    """The search by the backtracking engine, row by row."""

    def find(row: str | None) -> bool | None:
        if row is None:
            return None
        try:
            return compiled.search(row, timeout=ROW_SECONDS) is not None
        except TimeoutError:
            return None

    def run(batch: pl.Series) -> pl.Series:
        return pl.Series(batch.name, [find(row) for row in batch], dtype=pl.Boolean)

    return text.map_batches(run, return_dtype=pl.Boolean, is_elementwise=True)
