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

import polars as pl

from batcheval.checks.regexes.backtracking import backtrack, compiled
from batcheval.checks.regexes.linear import refusal
from batcheval.checks.regexes.tokens import linear_outline, tokens
from batcheval.errors import BadPatternError

# How the group around a whole pattern ends: on a new line where the pattern ends in a comment.
_ENDS = (")$", "\n)$")
_LEADING_FLAGS = re.compile(r"^(?:\(\?[a-zA-Z]+\))+")
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
    linear = is_linear(pattern)
    whole = _whole(pattern) if exact else pattern
    if not linear:
        return backtrack(text, compiled(whole))
    return text.str.contains(whole, literal=False, strict=True)


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
        compiled(pattern)
    return not is_beyond


def _whole(pattern: str) -> str:
    """A pattern made to match the whole text or nothing of it; its leading flags stay in front."""
    flags = _LEADING_FLAGS.match(pattern)
    lead = flags[0] if flags else ""
    for end in _ENDS:
        whole = f"{lead}^(?:{pattern[len(lead) :]}{end}"
        if refusal(linear_outline(whole, tokens(whole))) is None:
            return whole
    raise BadPatternError(pattern, "too big or too deep once it is to match the whole text")


def _search_per_row(text: pl.Expr, pattern: pl.Expr, exact: bool) -> pl.Expr:
    """A pattern of its own for each row, by the linear engine."""
    found = text.str.contains(pattern, literal=False, strict=False)
    if exact:
        # Only patterns that can be read by themselves: "a)|(b" could be, once it is wrapped.
        readable = pl.when(found.is_not_null()).then(pattern)
        plain = _contains_whole(text, readable, _ENDS[0])
        rest = pl.when(plain.is_null()).then(readable)
        found = pl.coalesce(plain, _contains_whole(text, rest, _ENDS[1]))
    return pl.when(text.is_not_null() & pattern.is_not_null()).then(found)


def _contains_whole(text: pl.Expr, pattern: pl.Expr, end: str) -> pl.Expr:
    lead = pattern.str.extract(f"({_LEADING_FLAGS.pattern})").fill_null("")
    whole = pl.concat_str(lead, pl.lit("^(?:"), pattern.str.strip_prefix(lead), pl.lit(end))
    return text.str.contains(whole, literal=False, strict=False)
