"""Points in time, however a dump spells them."""

from typing import Final

import polars as pl

from batcheval.schema.columns import TIME

# The least magnitude of an epoch count in milli-, micro- and nanoseconds (1973 in each).
_MILLI, _MICRO, _NANO = 10**11, 10**14, 10**17
_ISO: Final = "%Y-%m-%dT%H:%M:%S%.f%:z"


def time_of_text(text: pl.Expr) -> pl.Expr:
    """ISO 8601 or epoch counts as text; a time without a zone is in UTC; null if neither.

    Example:
        >>> texts = pl.DataFrame({"t": ["2024-05-01 10:00", "1714557600000", "soon"]})
        >>> texts.select(time_of_text(pl.col("t")))["t"].dt.hour().to_list()
        [10, 10, None]
    """
    text = text.str.strip_chars()
    stamp = (
        text.str.replace(r"^(\d{4}-\d\d-\d\d)[ Tt]?", "${1}T")
        .str.replace(r"T$", "T00:00:00")
        .str.replace(r"^(\S{10}T\d\d:\d\d)([Z+-].*)?$", "${1}:00${2}")
        .str.replace(r" ?(?:[Zz]|UTC|GMT)$", "+00:00")
        .str.replace(r"([+-]\d\d):?(\d\d)$", "${1}:${2}")
    )
    zoned = (
        pl.when(stamp.str.contains(r"T.*[+-]\d\d:\d\d$")).then(stamp).otherwise(stamp + "+00:00")
    )
    iso = zoned.str.to_datetime(_ISO, time_unit="us", time_zone="UTC", strict=False)
    whole = time_of_number(text.cast(pl.Int64, strict=False))
    return pl.coalesce(iso, whole, time_of_number(text.cast(pl.Float64, strict=False)))


def time_of_number(number: pl.Expr) -> pl.Expr:
    """An epoch count; its size tells seconds from milli-, micro- and nanoseconds.

    Whole nanoseconds exceed what a float holds exactly, so integers stay integers.
    """
    size = number.abs()
    micros = (
        pl.when(size < _MILLI)
        .then((number * 1_000_000).cast(pl.Int64, strict=False))
        .when(size < _MICRO)
        .then((number * 1_000).cast(pl.Int64, strict=False))
        .when(size < _NANO)
        .then(number.cast(pl.Int64, strict=False))
        .otherwise((number // 1_000).cast(pl.Int64, strict=False))
    )
    return micros.cast(pl.Datetime("us")).dt.replace_time_zone("UTC").cast(TIME)


def to_time(values: pl.Series) -> pl.Series:
    """A column of times of any type as `TIME`."""
    dtype, column = values.dtype, pl.col("t")
    if dtype.is_numeric():
        expr = time_of_number(column)
    elif dtype == pl.String:
        return _time_of_texts(values)
    elif isinstance(dtype, pl.Datetime) and dtype.time_zone is None:
        expr = column.dt.replace_time_zone("UTC").cast(TIME)
    elif dtype.is_temporal() and dtype not in (pl.Duration, pl.Time):
        expr = column.cast(TIME, strict=False)
    else:
        return pl.Series([None] * len(values), dtype=TIME)
    return values.to_frame("t").select(expr).to_series()


def _time_of_texts(texts: pl.Series) -> pl.Series:
    """The usual spelling at once; whatever is spelled otherwise is looked at more closely."""
    times = texts.to_frame("t").select(_USUAL).to_series()
    if times.null_count() == texts.null_count():
        return times
    others = (times.is_null() & texts.is_not_null()).arg_true()
    closer = texts.gather(others).to_frame("t").select(time_of_text(pl.col("t"))).to_series()
    return times.scatter(others, closer)


def _usual(text: pl.Expr) -> pl.Expr:
    """`2024-05-01T10:00:00Z`, with any fraction: twenty times as fast as a parser of fractions."""
    second = text.str.head(19).str.to_datetime("%Y-%m-%dT%H:%M:%S", time_unit="us", strict=False)
    digits = text.str.slice(19).str.strip_suffix("Z").str.strip_prefix(".").str.pad_end(6, "0")
    fraction = digits.str.head(6).cast(pl.UInt32, strict=False).cast(pl.Duration("us"))
    time = (second + fraction).dt.replace_time_zone("UTC").cast(TIME)
    return pl.when(text.str.ends_with("Z")).then(time)


_USUAL: Final = _usual(pl.col("t"))
