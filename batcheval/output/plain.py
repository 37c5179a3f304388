"""Columns of any type as columns that a format can hold."""

from collections.abc import Callable
from typing import TypeAlias

import polars as pl
from polars.datatypes import DataTypeClass

Leaf: TypeAlias = Callable[[pl.Expr, pl.DataType], pl.Expr]

# Spelled out: a dictionary's bytes tell of the run that made it, and Arrow lacks the others.
_AS_TEXT = (pl.Categorical, pl.Enum, pl.Null, pl.Int128, pl.UInt128)


def for_parquet(name: str, dtype: pl.DataType) -> pl.Expr:
    """The column as every Parquet reader can take it; nearly always just the column."""
    return _mapped(pl.col(name), dtype, _typed).alias(name)


def for_json(name: str, dtype: pl.DataType) -> pl.Expr:
    """The column as JSON can hold it: times in ISO 8601, bytes in base64, null for NaN."""
    return _mapped(pl.col(name), dtype, _spelled).alias(name)


def for_csv(name: str, dtype: pl.DataType) -> pl.Expr:
    """`for_json`, Structs and lists as JSON text, and no text that is a formula to a spreadsheet.

    What begins with `=`, `+`, `-`, `@`, a tab or a return and is no number gets a `'` in front.
    Source: OWASP, "CSV Injection".
    """
    if dtype.is_nested():
        return json_text(name, dtype)
    if dtype != pl.String:
        return for_json(name, dtype)
    text = pl.col(name)
    is_formula = text.str.contains(r"^[=+\-@\t\r]") & ~text.str.contains(r"^[+-]?[\d.,]+$")
    return pl.when(is_formula).then("'" + text).otherwise(text).alias(name)


def json_text(name: str, dtype: pl.DataType) -> pl.Expr:
    """The column's values as JSON text, null where the column is.

    Example:
        >>> frame = pl.DataFrame({"details": [{"found": [1, 2]}, None]})
        >>> frame.select(json_text("details", frame.schema["details"])).to_series().to_list()
        ['{"found":[1,2]}', None]
    """
    boxed = pl.struct(for_json(name, dtype).alias("_")).struct.json_encode()
    text = boxed.str.strip_prefix('{"_":').str.head(-1)
    return pl.when(pl.col(name).is_not_null()).then(text).alias(name)


def _mapped(expr: pl.Expr, dtype: pl.DataType, leaf: Leaf) -> pl.Expr:
    """`leaf` put to every part of a value; the very same expression where it changes nothing."""
    if isinstance(dtype, pl.Struct) and dtype.fields:
        return _mapped_fields(expr, dtype, leaf)
    if isinstance(dtype, pl.List | pl.Array):
        element = pl.element()
        new = _mapped(element, _instance(dtype.inner), leaf)
        rows = expr.arr.to_list() if isinstance(dtype, pl.Array) else expr
        return expr if new is element else rows.list.eval(new)
    return leaf(expr, dtype)


def _mapped_fields(expr: pl.Expr, dtype: pl.Struct, leaf: Leaf) -> pl.Expr:
    changed = []
    for field in dtype.fields:
        old = pl.field(field.name)
        new = _mapped(old, _instance(field.dtype), leaf)
        if new is not old:
            changed.append(new.alias(field.name))
    return expr.struct.with_fields(changed) if changed else expr


def _instance(dtype: DataTypeClass | pl.DataType) -> pl.DataType:
    return dtype if isinstance(dtype, pl.DataType) else dtype()


def _typed(expr: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    if isinstance(dtype, pl.Struct):  # without a field: Parquet has no such thing
        return expr.struct.json_encode()
    return expr.cast(pl.String) if isinstance(dtype, _AS_TEXT) else expr


def _spelled(expr: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    if isinstance(dtype, pl.Datetime):
        return expr.dt.to_string("iso:strict")
    if isinstance(dtype, pl.Duration):
        return expr.dt.to_string("iso")
    if isinstance(dtype, pl.Binary):
        return expr.bin.encode("base64")
    if dtype.is_float():
        return pl.when(expr.is_finite()).then(expr)
    return expr if isinstance(dtype, pl.Struct) else _typed(expr, dtype)
