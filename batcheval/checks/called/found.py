"""Calls that should not be: how many a row has, and their names."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import polars as pl

from batcheval.checks.called.flat import Mask, flat
from batcheval.checks.counts import calls
from batcheval.checks.operands import listing, sentence
from batcheval.schema import TOOL_CALLS
from batcheval.schema.series import relisted
from batcheval.scorer import Verdict, batched, passed

# Says which of the calls are meant, from these and what else the rows bring.
Find: TypeAlias = Callable[..., Mask]


class Found(NamedTuple):
    """The calls that a function finds, as expressions over the rows.

    Attributes:
        count: Int64, how many there are; null where a column that the function needs is null.
        names: List(String), their names in the order of the calls, or what else is told of them;
            null likewise.
    """

    count: pl.Expr
    names: pl.Expr


def found(
    find: Find,
    *fields: str,
    needs: Sequence[pl.Expr] = (),
    unnamed: bool = False,
    tell: Callable[..., Sequence[str]] | None = None,
) -> Found:
    """The calls for which a function holds.

    Args:
        find: gets the calls of a batch, and a Series for each of `needs`; gives a mask of calls.
        fields: what it looks at, besides the name.
        needs: what else it looks at, a value a row.
        unnamed: calls without a name count too.
        tell: what is told of the calls that are found, by default their names; gets the same.
    """

    def counted(lists: pl.Series, *columns: pl.Series) -> pl.Series:
        whole = flat(lists, *fields, unnamed=unnamed)
        return _scored(pl.Series(whole.counts(find(whole, *columns))), columns)

    def named(batch: pl.Series) -> pl.Series:
        lists, *columns = batch.struct.unnest().get_columns()
        whole = flat(lists, *fields, unnamed=unnamed)
        mask = find(whole, *columns)
        meant = whole.kept(pl.Series(mask, dtype=pl.Boolean))
        told = meant.names if tell is None else pl.Series(tell(meant, *columns), dtype=pl.String)
        names = told.fill_null("")
        return _scored(relisted(names, whole.counts(mask)), columns)

    rows = pl.struct(TOOL_CALLS, *(column.alias(str(n)) for n, column in enumerate(needs)))
    names = rows.map_batches(named, return_dtype=pl.List(pl.String), is_elementwise=True)
    return Found(batched(counted, TOOL_CALLS, *needs).cast(pl.Int64), names)


def _scored(values: pl.Series, columns: Sequence[pl.Series]) -> pl.Series:
    for column in columns:
        if column.null_count():
            values = values.zip_with(column.is_not_null(), pl.Series([None], dtype=values.dtype))
    return values


def at_most(calls_found: Found, most: int, told: str, field: str) -> Verdict:
    """1.0 where at most so many calls are found, else 0.0.

    Args:
        calls_found: the calls; the details call their names `tools`.
        most: how many there may be.
        told: the reason, with the calls for `{}`.
        field: how the details call their number.
    """
    count, names = calls_found
    some = pl.format("{} ({})", calls(count), listing(names))
    shown = pl.when(count == 0).then(pl.lit("no call")).otherwise(some)
    details = pl.struct(count.alias(field), names.alias("tools"))
    scored = pl.when(count.is_not_null()).then(details)
    return passed(count <= most, scored, sentence(count, told, shown))
