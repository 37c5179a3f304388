"""A check of the numbers that a text says."""

from collections.abc import Mapping
from math import isfinite
from typing import Literal

import polars as pl

from batcheval.checks.folding import Folding, Form
from batcheval.checks.operands import column, sentence, subject
from batcheval.checks.texts.limits import number
from batcheval.checks.texts.numerals import Notation, numbers
from batcheval.errors import BadArgumentError
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, batched, check, passed

__all__ = ["number_close"]

_NAMES = {"last": "last", "any": "closest"}


@check
def number_close(
    expected: float | pl.Expr,
    *,
    which: Literal["last", "any"] = "last",
    tolerance: float = 0.0,
    relative: float = 1e-9,
    thousands: str = ",",
    decimal: str = ".",
    units: Mapping[str, float] | None = None,
    normalize: Form | None = None,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """A number in the output is `expected`, or close to it: 1.0, else 0.0; 0.0 without any.

    Close is within `tolerance`, or within `relative` times the expected number, whichever is
    larger. Details: `number`, the one that was held against it, and `difference`.

    Args:
        expected: a number; or an expression with one per row, null or no finite number where a
            row has no expectation, which leaves it unscored. A text is read as Python reads it.
        which: the "last" number in the text, or "any": the closest.
        tolerance: how far off it may be, 0 or more, in the units of the number.
        relative: how far off it may be as a share of `expected`, 0 or more.
        thousands: what may stand between groups of three digits: 1,234 is one number. "" if none.
        decimal: what stands before the decimals.
        units: tables such as {"km" = 1000, "m" = 1} or {"$" = 1}: then only numbers with one of
            them just before or after count, times that factor. Case counts.
        normalize: a normal form in which to read: in "NFKC" full-width digits count.
        on: the text to search instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: an argument is of the wrong type, or makes no sense.

    Example:
        >>> traces = pl.DataFrame({"output": ["In 2024 it was 1,250.", "About 12"]})
        >>> traces.select(number_close(1250).score).to_series().to_list()
        [1.0, 0.0]
    """
    how = Notation(*_marks(thousands, decimal), _factors(units))
    text = Folding(ignore_case=False, normalize=normalize)(column("on", on))
    wanted, said = _expected(expected), numbers(text, how)
    near, far = (
        _least(name, value) for name, value in (("tolerance", tolerance), ("relative", relative))
    )
    if which not in ("last", "any"):
        raise BadArgumentError("which", "'last' or 'any'", which)
    chosen = said.list.last() if which == "last" else _closest(said, wanted)
    off = (chosen - wanted).abs()
    bound = pl.max_horizontal(pl.lit(near), far * wanted.abs())
    close = pl.when(said.is_not_null() & wanted.is_not_null()).then((off <= bound).fill_null(False))
    shown = chosen.cast(pl.String).fill_null("no number")
    template = f"{{}} has {{}} as its {_NAMES[which]} number, and should have {{}}"
    reason = sentence(close, template, subject(on), shown, wanted)
    return passed(close, pl.struct(number=chosen, difference=off), reason)


def _closest(said: pl.Expr, wanted: pl.Expr) -> pl.Expr:
    def closest(lists: pl.Series, goals: pl.Series) -> list[float | None]:
        pairs = zip(lists.to_list(), goals.to_list(), strict=True)
        return [_nearest(row, goal) if row and goal is not None else None for row, goal in pairs]

    return batched(closest, said, wanted)


def _nearest(row: list[float], goal: float) -> float:
    return min((abs(one - goal), place, one) for place, one in enumerate(row))[2]


def _expected(expected: object) -> pl.Expr:
    if isinstance(expected, pl.Expr):
        read = expected.cast(pl.Float64, strict=False)
        return pl.when(read.is_finite()).then(read)
    if (value := number("expected", expected)) is None:
        raise BadArgumentError("expected", "a number or an expression with one per row", expected)
    return pl.lit(value)


def _least(name: str, value: object) -> float:
    found = number(name, value)
    if found is None or found < 0:
        raise BadArgumentError(name, "a number of at least 0", value)
    return found


def _marks(thousands: object, decimal: object) -> tuple[str, str]:
    for name, mark, most in (("thousands", thousands, 1), ("decimal", decimal, 1)):
        if not isinstance(mark, str) or len(mark) > most or mark.isalnum() or mark in ("-", "+"):
            raise BadArgumentError(name, "one character such as ',' or '.'", mark)
    if not decimal or decimal == thousands:
        raise BadArgumentError("decimal", "one character, and not that of 'thousands'", decimal)
    return str(thousands), str(decimal)


def _factors(units: object) -> dict[str, float]:
    factors = {} if units is None else dict(units) if isinstance(units, Mapping) else {"": 0.0}
    for unit, factor in factors.items():
        valid = (
            isinstance(factor, int | float) and not isinstance(factor, bool) and isfinite(factor)
        )
        if not isinstance(unit, str) or not unit.strip() or not valid:
            raise BadArgumentError("units", "a table of factors by unit", units)
    return {unit: float(factor) for unit, factor in factors.items()}
