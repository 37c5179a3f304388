"""Numbers, however a column spells them."""

import polars as pl


def to_number(values: pl.Series, dtype: pl.DataType) -> pl.Series:
    """A column of any type as Int64 or Float64.

    What is no number, no finite one, or for Int64 no whole one that fits, is null; nothing is
    rounded.

    Example:
        >>> to_number(pl.Series(["12", "1.0", "1.5", "nan", "x"]), pl.Int64()).to_list()
        [12, 1, None, None, None]
    """
    if values.dtype == pl.String:
        values = values.str.strip_chars()
    elif not values.dtype.is_numeric():
        return pl.Series(values.name, [None] * len(values), dtype=dtype)
    number = pl.col("n")
    floats = number.cast(pl.Float64, strict=False)
    finite: pl.Expr = pl.when(floats.is_finite()).then(floats)
    if dtype.is_integer():
        inside = (floats == floats.floor()) & (floats.abs() < 2.0**63)
        whole: pl.Expr = pl.when(inside).then(floats).cast(dtype, strict=False)
        is_exact = values.dtype == pl.String or values.dtype.is_integer()
        finite = pl.coalesce(number.cast(dtype, strict=False), whole) if is_exact else whole
    return values.to_frame("n").select(finite).to_series()
