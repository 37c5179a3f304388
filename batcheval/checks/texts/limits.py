"""Numbers held against limits, as verdicts."""

from math import isfinite

import polars as pl

from batcheval.checks.operands import sentence, subject
from batcheval.errors import BadArgumentError
from batcheval.scorer import Verdict, passed


def counted(count: pl.Expr, unit: str, low: int | None, high: int | None, on: pl.Expr) -> Verdict:
    """The verdict on a count that is to lie from `low` to `high`, both whole numbers or None.

    Raises:
        BadArgumentError: they are not, or they ask for nothing that can be.
    """
    for name, bound in (("min", low), ("max", high)):
        if bound is not None and (type(bound) is not int or not 0 <= bound < 2**63):
            raise BadArgumentError(name, "a whole number of at least 0", bound)
    asked = in_words(low, high)
    reason = sentence(count, f"{{}} has {{}} {unit}, and should have {asked}", subject(on), count)
    return passed(holds(count, low, high), pl.struct(count=count), reason)


def number(name: str, value: object) -> float | None:
    """A finite number, or None.

    Raises:
        BadArgumentError: `value`, the argument `name`, is anything else.
    """
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not isfinite(value):
        raise BadArgumentError(name, "a finite number", value)
    return float(value)


def holds(value: pl.Expr, low: float | None, high: float | None) -> pl.Expr:
    """Whether a value lies within limits, one of which is given.

    Each comparison stands alone: polars shares the value of several checks only if nothing that is
    shared has it inside.
    """
    limits = [value >= low] if low is not None else []
    return pl.all_horizontal(*limits, value <= high) if high is not None else limits[0]


def in_words(low: float | None, high: float | None) -> str:
    """Limits as a reason tells them.

    Raises:
        BadArgumentError: both are None, or they cross.

    Example:
        >>> in_words(1, None), in_words(1, 3)
        ('at least 1', '1 to 3')
    """
    if low is None and high is None:
        raise BadArgumentError("min", "given, or 'max'", None)
    if low is None or high is None:
        return f"at most {high}" if low is None else f"at least {low}"
    if low > high:
        raise BadArgumentError("min", f"at most 'max', which is {high}", low)
    return f"{low} to {high}"
