"""The numbers in texts, as Float64."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

import polars as pl

_FLOATS: Final = pl.List(pl.Float64)


class Notation(NamedTuple):
    """How numbers are written.

    Attributes:
        thousands: what may stand between groups of three digits, or "".
        decimal: what stands before the decimals.
        units: what the number before, or after, each of them is multiplied by. If there are any,
            numbers without one do not count.
    """

    thousands: str
    decimal: str
    units: Mapping[str, float]


def pattern(how: Notation) -> str:
    r"""What finds numbers in this notation, with the units beside them.

    Example:
        >>> pattern(Notation(",", ".", {}))
        '[-+\\u2212]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?'
    """
    point, mark = re.escape(how.decimal), re.escape(how.thousands)
    whole = rf"(?:[0-9]{{1,3}}(?:{mark}[0-9]{{3}})+|[0-9]+)" if mark else "[0-9]+"
    number = rf"[-+\u2212]?{whole}(?:{point}[0-9]+)?(?:[eE][-+]?[0-9]+)?"
    if not how.units:
        return number
    ordered = sorted(how.units, key=lambda name: -len(name))
    before = "|".join((r"\b" if name[0].isalnum() else "") + re.escape(name) for name in ordered)
    behind = "|".join(re.escape(name) + (r"\b" if name[-1].isalnum() else "") for name in ordered)
    return rf"(?:{before})\s?{number}|{number}\s?(?:{behind})"


def numbers(text: pl.Expr, how: Notation) -> pl.Expr:
    """The numbers of each text in order, as a list of Float64.

    Example:
        >>> texts = pl.DataFrame({"x": ["1,234.5 and -7", "none"]})
        >>> texts.select(numbers(pl.col("x"), Notation(",", ".", {}))).to_series().to_list()
        [[1234.5, -7.0], []]
    """

    def read(batch: pl.Series) -> pl.Series:
        rows = [
            None if row is None else [_read(one, how) for one in row] for row in batch.to_list()
        ]
        return pl.Series(batch.name, rows, _FLOATS)

    found = text.str.extract_all(pattern(how))
    return found.map_batches(read, return_dtype=_FLOATS, is_elementwise=True)


def _read(written: str, how: Notation) -> float:
    factor = 1.0
    for unit in sorted(how.units, key=lambda name: -len(name)):
        if written.startswith(unit) or written.endswith(unit):
            factor = how.units[unit]
            written = written.removeprefix(unit).removesuffix(unit).strip()
            break
    plain = written.replace("\u2212", "-")
    if how.thousands:
        plain = plain.replace(how.thousands, "")
    return float(plain.replace(how.decimal, ".")) * factor
