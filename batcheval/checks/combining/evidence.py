"""What a combination says of its parts: their details and their reasons, within its own."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import polars as pl

from batcheval.checks.combining.parts import said, score_of
from batcheval.nesting import Nest, leaf, nest
from batcheval.scorer import Evidence, Scorer, Verdict

Columns = Sequence[pl.Expr]
_REASON = pl.Struct({"score": pl.Float64, "reason": pl.String})


def told(part: pl.Expr) -> pl.Expr:
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
    """The verdict of a combination.

    Args:
        score: gets what is `given` and then the scores of the parts; gives the score, Float64.
        reason: gets the score, what is `given` and then the parts, each a Struct of `score` and
            `reason`; gives a text.
        named: the parts, by the names of their fields in the details.
        given: what else the details hold, before the parts.
        listed: the details are `scored`, how many parts were scored, and the parts in `parts`.
    """
    first = [leaf(one) for one in given.values()]
    names = [*given, *named]

    def scores(columns: Columns) -> list[pl.Expr]:
        own = [one.struct.field("score") for one in columns[len(first) :]]
        return [*columns[: len(first)], *own]

    def reasons(columns: Columns) -> pl.Expr:
        found = score(*scores(columns))
        return pl.struct(score=found, reason=reason(found, *columns))

    def details(columns: Columns) -> pl.Expr:
        held = pl.struct(one.alias(name) for name, one in zip(names, columns, strict=True))
        count = pl.sum_horizontal(one.is_not_null().cast(pl.Int64) for one in scores(columns))
        held = pl.struct(scored=count, parts=held) if listed else held
        return pl.struct(score=score(*scores(columns)), details=held)

    parts = [*first, *map(_details, named.values())]
    inner = dict(zip(names, (one.dtype for one in parts), strict=True))
    dtype = pl.struct_with_fields(inner)
    if listed:
        dtype = pl.struct_with_fields({"scored": pl.Int64(), "parts": dtype})
    evidence = Evidence(
        nest(parts, details, pl.struct_with_fields({"score": pl.Float64(), "details": dtype})),
        nest([*first, *map(_reason, named.values())], reasons, _REASON),
    )
    return Verdict(
        score(*given.values(), *map(score_of, named.values())),
        evidence.details.column().struct.field("details"),
        evidence.reason.column().struct.field("reason"),
        evidence,
    )


def _details(one: Scorer) -> Nest:
    """A struct of the part's `score` and, if it has any, its `details`."""
    if one.evidence is not None:
        return one.evidence.details
    details = [] if one.details is None else [one.details.alias("details")]
    return leaf(pl.struct(score_of(one).alias("score"), *details))


def _reason(one: Scorer) -> Nest:
    """A struct of the part's `score` and its `reason`, or the score in words; null if unscored."""
    if one.evidence is not None:
        return one.evidence.reason
    return leaf(pl.struct(score=score_of(one), reason=said(one)))
