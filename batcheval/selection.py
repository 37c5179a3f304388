"""Which traces to score: those that satisfy a predicate, the first, or a random sample."""

from typing import Any, Final

import polars as pl

from batcheval.conditions import predicate
from batcheval.errors import BadPredicateError
from batcheval.rehearsal import fault
from batcheval.schema import Frame, canonical, with_paths

_ROW: Final = "\0row"


def where(traces: Frame, sql: str) -> pl.LazyFrame:
    """The traces for which a SQL condition holds.

    Raises:
        BadPredicateError: it is no condition over the columns that there are.
        MissingColumnsError: it reads a column that the traces lack.
    """
    condition = predicate(sql)
    reads = dict.fromkeys(condition.meta.root_names(), "--where")
    table = with_paths(canonical(traces), reads)
    schema = table.collect_schema()
    found = fault(schema, condition)
    if found is None and _dtype(condition, schema) != pl.Boolean:
        found = "it is neither true nor false"
    if found:
        raise BadPredicateError(sql, found)
    return table.filter(condition)


def _dtype(condition: pl.Expr, schema: pl.Schema) -> pl.DataType:
    return schema.to_frame().lazy().select(condition).collect_schema().dtypes()[0]


def sample(traces: Frame, rows: int, seed: int = 0) -> pl.LazyFrame:
    """A random sample without replacement, in the order of the traces.

    The rows with the smallest values of a hash of their number are taken, so that one pass is
    enough and the same seed gives the same rows anywhere. The hash is SplitMix64 (Steele, Lea and
    Flood 2014, "Fast splittable pseudorandom number generators").

    Example:
        >>> traces = pl.DataFrame({"trace_id": [str(i) for i in range(100)]})
        >>> sample(traces, 3, seed=1).collect().height
        3
    """
    numbered = canonical(traces).with_row_index(_ROW)
    order = pl.col(_ROW).map_batches(
        lambda numbers: _mixed(numbers, seed), return_dtype=pl.UInt64, is_elementwise=True
    )
    return numbered.bottom_k(rows, by=order).sort(_ROW).drop(_ROW)


def _mixed(numbers: pl.Series, seed: int) -> pl.Series:
    import numpy as np

    golden, bits = np.uint64(0x9E3779B97F4A7C15), np.uint64
    x: Any = (numbers.cast(pl.UInt64).to_numpy() + bits(1)) * golden + bits(seed % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ (x >> bits(shift))) * bits(factor)
    return pl.Series(numbers.name, x ^ (x >> bits(31)))
