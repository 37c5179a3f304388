"""The checks that others are made of: their scores, their details, their reasons."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import nan
from types import MappingProxyType
from typing import Final

import polars as pl

from batcheval.errors import BadArgumentError
from batcheval.ids import free_id
from batcheval.scorer import Evidence, Scorer, Verdict

_UNSCORED: Final = pl.lit(None, dtype=pl.Float64)  # keeps the place of the score in its struct


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


def in_words(score: pl.Expr) -> pl.Expr:
    """A score as a reason shows it."""
    return score.round(3).cast(pl.String)


def said(part: pl.Expr) -> pl.Expr:
    """The reason in a part's Struct of `score` and `reason`."""
    return part.struct.field("reason")


def combined(
    score: Callable[..., pl.Expr],
    reason: Callable[..., pl.Expr],
    named: Mapping[str, Scorer],
    *,
    given: Mapping[str, pl.Expr] = MappingProxyType({}),
    listed: bool = False,
) -> Verdict:
    """The verdict of a combination. Each part stands once in its details, and once in its reason.

    Args:
        score: gets what is `given` and then the scores of the parts; gives the score, Float64.
        reason: gets the score, what is `given` and then the parts, each a Struct of `score` and
            `reason`; gives a text.
        named: the parts, by the names of their fields in the details.
        given: what else the details hold, before the parts.
        listed: the details are `scored`, how many parts were scored, and the parts in `parts`.
    """
    details = _struct(given, {name: _details(one) for name, one in named.items()})
    reasons = _struct(given, {name: _reason(one) for name, one in named.items()})
    held, told = pl.field("details"), pl.field("reason")
    if listed:
        details, held = _counted(details, named), held.struct.field("parts")
    found = score(*_values(told, given), *_values(told, named, "score"))
    sentence = reason(found, *_values(told, given), *_values(told, named))
    evidence = Evidence(
        pl.struct(score=_UNSCORED, details=details).struct.with_fields(
            score=score(*_values(held, given), *_values(held, named, "score"))
        ),
        pl.struct(score=_UNSCORED, reason=reasons).struct.with_fields(score=found, reason=sentence),
    )
    return Verdict(
        score(*given.values(), *map(score_of, named.values())),
        evidence.details.struct.field("details"),
        evidence.reason.struct.field("reason"),
        evidence,
    )


def _details(one: Scorer) -> pl.Expr:
    """A struct of the part's `score` and, if it has any, its `details`."""
    if one.evidence is not None:
        return one.evidence.details
    details = [] if one.details is None else [one.details.alias("details")]
    return pl.struct(score_of(one).alias("score"), *details)


def _reason(one: Scorer) -> pl.Expr:
    """A struct of the part's `score` and its `reason`, or the score in words; null if unscored."""
    if one.evidence is not None:
        return one.evidence.reason
    score, reason = score_of(one), one.reason
    if reason is None:
        reason = pl.format(f"'{_plain(one.id)}' is {{}}", in_words(score))
    return pl.struct(score=score, reason=reason)


def _counted(parts: pl.Expr, named: Mapping[str, Scorer]) -> pl.Expr:
    scores = _values(pl.field("parts"), named, "score")
    scored = pl.sum_horizontal(one.is_not_null().cast(pl.Int64) for one in scores)
    return pl.struct(scored=pl.lit(0), parts=parts).struct.with_fields(scored=scored)


def _struct(*fields: Mapping[str, pl.Expr]) -> pl.Expr:
    return pl.struct(one.alias(name) for part in fields for name, one in part.items())


def _values(struct: pl.Expr, names: Iterable[str], inner: str | None = None) -> list[pl.Expr]:
    found = [struct.struct.field(name) for name in names]
    return found if inner is None else [one.struct.field(inner) for one in found]


def _plain(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
