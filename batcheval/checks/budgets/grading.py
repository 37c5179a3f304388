"""What a run used, held against a budget: kept or not, or graded beyond it."""

from math import isfinite
from typing import NamedTuple

import polars as pl

from batcheval.checks.operands import sentence
from batcheval.errors import BadArgumentError
from batcheval.scorer import Verdict


class Budget(NamedTuple):
    """What may be used, and where the score has fallen to 0.0; None for at once."""

    enough: pl.Expr
    zero_at: float | None


def budget(name: str, value: object, end: str, zero_at: object) -> Budget:
    """A budget from two arguments.

    Args:
        name: of the first.
        value: a number of at least 0, or an expression with one per row.
        end: the name of the second.
        zero_at: a larger number, or None.

    Raises:
        BadArgumentError: they are not.
    """
    if zero_at is not None and not _is_amount(zero_at):
        raise BadArgumentError(end, "a number of at least 0", zero_at)
    limit = None if zero_at is None else float(zero_at)  # type: ignore[arg-type]
    if isinstance(value, pl.Expr):
        return Budget(amount(value), limit)
    if not _is_amount(value):
        raise BadArgumentError(name, "a number of at least 0 or an expression", value)
    if limit is not None and limit <= float(value):  # type: ignore[arg-type]
        raise BadArgumentError(end, f"above '{name}', which is {value}", zero_at)
    return Budget(pl.lit(float(value)), limit)  # type: ignore[arg-type]


def amount(value: pl.Expr) -> pl.Expr:
    """Numbers as Float64; what is no finite number of at least 0 is null."""
    number = value.cast(pl.Float64, strict=False)
    return pl.when(number.is_finite() & (number >= 0)).then(number)


def held(used: pl.Expr, allowed: Budget, what: str, details: pl.Expr) -> Verdict:
    """The verdict on what was used.

    Args:
        used: the amount, null where it was not recorded.
        allowed: 1.0 up to its limit; beyond it 0.0, or falling in a straight line to 0.0.
        what: a sentence with two gaps, for what was used and what is allowed.
        details: the evidence.
    """
    kept = used <= allowed.enough
    score = kept.cast(pl.Float64)
    if allowed.zero_at is not None:
        room = allowed.zero_at - allowed.enough  # of a row's own budget, it may be none
        left = ((allowed.zero_at - used) / room).clip(0, 1)
        graded = pl.when(kept).then(1.0).when(room > 0).then(left).otherwise(0.0)
        score = pl.when(kept.is_not_null()).then(graded)
        what += f" (and scores 0.0 from {allowed.zero_at:g} on)"
    return Verdict(score, details, sentence(score, what, _told(used), _told(allowed.enough)))


def _told(number: pl.Expr) -> pl.Expr:
    """Without decimals where it is whole, else with six digits."""
    whole = number == number.floor()
    return (
        pl.when(whole & (number < 2**53))
        .then(number.cast(pl.Int64, strict=False).cast(pl.String))
        .otherwise(number.round_sig_figs(6).cast(pl.String).str.strip_suffix(".0"))
    )


def _is_amount(value: object) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and isfinite(value) and value >= 0  # type: ignore[arg-type, operator]
