"""The checks that others are made of, and their scores and reasons."""

from collections.abc import Sequence
from math import nan

import polars as pl

from batcheval.errors import BadArgumentError
from batcheval.ids import free_id
from batcheval.scorer import Scorer


def part(name: str, value: object) -> Scorer:
    """A check that is given as an argument.

    Raises:
        BadArgumentError: `value`, the argument `name`, is none.
    """
    if not isinstance(value, Scorer):
        raise BadArgumentError(name, "a check such as includes('sunny')", value)
    return value


def parts(name: str, value: object) -> dict[str, Scorer]:
    """Several checks, at least one, by ids that differ.

    Raises:
        BadArgumentError: `value`, the argument `name`, is no list of checks.

    Example:
        >>> from batcheval.checks import includes
        >>> list(parts("checks", [includes("a"), includes("b")]))
        ['includes', 'includes_2']
    """
    listed = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else []
    if not listed or not all(isinstance(one, Scorer) for one in listed):
        wanted = "a list of checks, at least one, such as [includes('sunny')]"
        raise BadArgumentError(name, wanted, value)
    named: dict[str, Scorer] = {}
    for one in listed:
        named[free_id(one.id, named)] = one
    return named


def score_of(one: Scorer) -> pl.Expr:
    """The score as Float64: a scorer of somebody's own may be Boolean, or give NaN.

    `fill_nan` would double the expression, and so each level of a nest.
    """
    return one.score.cast(pl.Float64).replace(nan, None)


def said(one: Scorer) -> pl.Expr:
    """The reason of a part, or its score in words; null where it is unscored."""
    if one.reason is not None:
        return one.reason
    return pl.format(f"'{_plain(one.id)}' is {{}}", in_words(score_of(one)))


def in_words(score: pl.Expr) -> pl.Expr:
    """A score as a reason shows it."""
    return score.round(3).cast(pl.String)


def _plain(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
