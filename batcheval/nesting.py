"""Structs within Structs, built in one pass from the columns at the bottom.

As expressions alone each level would hold all that is below it, and each would be typed again for
each level above it: a nest of twelve took seconds before the first row was read.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import polars as pl

Build = Callable[[Sequence[pl.Series]], pl.Series]


class Nest(NamedTuple):
    """A column that is built of others: row by row, as any expression.

    Attributes:
        leaves: the columns that it is built of.
        build: gets their values, gives its own.
        dtype: of what `build` gives.
    """

    leaves: tuple[pl.Expr, ...]
    build: Build
    dtype: pl.DataType | pl.DataTypeExpr

    def column(self) -> pl.Expr:
        """The nest as an expression."""
        rows = pl.struct(leaf.alias(str(place)) for place, leaf in enumerate(self.leaves))
        return rows.map_batches(
            lambda batch: self.build(batch.struct.unnest().get_columns()),
            return_dtype=self.dtype,
            is_elementwise=True,
        )


def leaf(column: pl.Expr) -> Nest:
    """A nest of one column, which is at the bottom."""
    return Nest((column,), lambda values: values[0], pl.dtype_of(column))


def nest(
    parts: Sequence[Nest],
    made: Callable[[Sequence[pl.Expr]], pl.Expr],
    dtype: pl.DataType | pl.DataTypeExpr,
) -> Nest:
    """A nest of nests.

    Args:
        parts: those within.
        made: gets them as columns, in their order; gives what is made of each row of them.
        dtype: of what `made` gives.

    Example:
        >>> both = nest(
        ...     [leaf(pl.col("a")), leaf(pl.col("b"))],
        ...     lambda parts: pl.struct(least=pl.min_horizontal(parts)),
        ...     pl.Struct({"least": pl.Int64}),
        ... )
        >>> pl.DataFrame({"a": [1], "b": [2]}).select(both.column().alias("both")).item()
        {'least': 1}
    """
    names = [str(place) for place in range(len(parts))]
    expr = made([pl.col(name) for name in names])

    def build(values: Sequence[pl.Series]) -> pl.Series:
        left, columns = iter(values), []
        for name, part in zip(names, parts, strict=True):
            columns.append(part.build([next(left) for _ in part.leaves]).alias(name))
        return pl.DataFrame(columns).select(expr.alias("made")).to_series()

    return Nest(tuple(one for part in parts for one in part.leaves), build, dtype)
