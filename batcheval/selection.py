"""Which traces to take: those that satisfy a predicate, a random sample, those of one id."""

from typing import Any, Final

import polars as pl

from batcheval.conditions import TRUTH, kind_of, predicate
from batcheval.errors import (
    AmbiguousTraceError,
    BadPredicateError,
    UnknownRunOfTraceError,
    UnknownTraceError,
)
from batcheval.rehearsal import fault
from batcheval.schema import Frame, canonical, with_paths

_ROW: Final = "\0row"
_NEAR: Final = 10_000  # ids among which near ones are looked for


def where(traces: Frame, sql: str) -> pl.LazyFrame:
    """The traces for which a SQL condition holds.

    Raises:
        BadPredicateError: it is no condition over the columns that there are.
        MissingColumnsError: it reads a column that the traces lack.
    """
    table, condition = judged(traces, sql, "--where")
    return table.filter(condition)


def judged(traces: Frame, sql: str, reader: str) -> tuple[pl.LazyFrame, pl.Expr]:
    """The canonical table with all columns that a SQL condition reads, and the condition.

    Args:
        traces: as for `score`.
        sql: true, false, or null on each row.
        reader: who reads these columns, for the message.

    Raises:
        BadPredicateError: it is no condition over the columns that there are.
        MissingColumnsError: it reads a column that the traces lack.
    """
    condition = predicate(sql)
    table = with_paths(canonical(traces), dict.fromkeys(condition.meta.root_names(), reader))
    schema = table.collect_schema()
    found = fault(schema, condition)
    if found is None and (kind := kind_of(_dtype(condition, schema))) != TRUTH:
        found = f"it must be {TRUTH}, but is {kind}"
    if found:
        raise BadPredicateError(sql, found)
    return table, condition


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


def called(traces: pl.LazyFrame, start: str, run: str | None = None) -> pl.LazyFrame:
    """The traces of one id, which may be shortened to a beginning that no other id has.

    Args:
        traces: the canonical table.
        start: the id, or its beginning.
        run: the run that they are to be of, if not of any.

    Raises:
        UnknownTraceError: no id begins so.
        AmbiguousTraceError: several do, and none is it.
        UnknownRunOfTraceError: the run has no trace of this id.

    Example:
        >>> traces = canonical(pl.DataFrame({"trace_id": ["t-1", "t-2", "u-1", "u-10"]}))
        >>> [called(traces, start).collect()["trace_id"].item() for start in ("u-1", "u-10")]
        ['u-1', 'u-10']
    """
    named = traces.select("trace_id", "run")
    begins = pl.col("trace_id").str.starts_with(start)
    names = named.filter(begins).unique().collect(engine="streaming")
    ids = names["trace_id"].unique().sort().to_list()
    if not ids:
        near = named.head(_NEAR).collect(engine="streaming")["trace_id"].unique(maintain_order=True)
        raise UnknownTraceError(start, near.to_list())
    if len(ids) > 1 and start not in ids:
        raise AmbiguousTraceError(start, ids)
    trace_id = start if start in ids else ids[0]
    found = traces.filter(pl.col("trace_id") == trace_id)
    if run is None:
        return found
    runs = names.filter(pl.col("trace_id") == trace_id)["run"].drop_nulls().sort().to_list()
    if run not in runs:
        raise UnknownRunOfTraceError(trace_id, run, runs)
    return found.filter(pl.col("run") == run)
