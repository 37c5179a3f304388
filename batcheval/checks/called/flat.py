"""The calls of a batch end to end, which is how whole columns of them are judged."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]


class Flat(NamedTuple):
    """Calls of a batch.

    Attributes:
        calls: `name` and the other fields that were asked for, a row a call, in their order.
        rows: for each call the row of the batch that it belongs to.
        height: how many rows the batch has.
    """

    calls: pl.DataFrame
    rows: Ints
    height: int

    @property
    def names(self) -> pl.Series:
        """The name of each call."""
        return self.calls["name"]

    def kept(self, mask: pl.Series) -> "Flat":
        """Those of the calls for which `mask` holds."""
        kept = mask.fill_null(False)
        return Flat(self.calls.filter(kept), self.rows[kept.to_numpy()], self.height)

    def counts(self, mask: Mask | None = None) -> Ints:
        """How many calls each row has, or how many for which `mask` holds."""
        rows = self.rows if mask is None else self.rows[mask]
        return np.bincount(rows, minlength=self.height)

    def codes(self, known: Sequence[str]) -> Ints:
        """Each name as its place among those known, -1 if it is none of them."""
        names = pl.Enum(list(known))
        found = self.names.cast(names, strict=False).to_physical().cast(pl.Int64)
        return found.fill_null(-1).to_numpy()

    def starts(self) -> Ints:
        """The place of each row's first call, and behind the last row the number of calls."""
        return np.concatenate(([0], np.cumsum(self.counts())))


def flat(lists: pl.Series, *fields: str, unnamed: bool = False) -> Flat:
    """The calls that count: those with a name whose arguments had all come in.

    Args:
        lists: the canonical column of calls.
        fields: what else of them is needed.
        unnamed: those without a name count too.

    Example:
        >>> calls = [{"name": "a", "state": "ok"}, {"name": "b", "state": "partial"}]
        >>> found = flat(pl.Series([[], calls, calls[:1]]))
        >>> found.names.to_list(), found.rows.tolist()
        (['a', 'a'], [1, 2])
    """
    items = lists.explode(empty_as_null=False, keep_nulls=False)
    lengths = lists.list.len().fill_null(0).to_numpy()
    rows = np.repeat(np.arange(len(lists)), lengths)
    calls = pl.DataFrame([items.struct.field(name) for name in dict.fromkeys(("name", *fields))])
    state, named = items.struct.field("state"), calls["name"] != ""
    complete = state.ne_missing("partial")
    counts = complete & items.is_not_null() if unnamed else named & complete
    whole = Flat(calls, rows, len(lists))
    return whole if counts.all(ignore_nulls=False) else whole.kept(counts)


def ordinals(keys: Ints) -> Ints:
    """For each item how many equal ones come before it.

    Example:
        >>> ordinals(np.array([7, 5, 7, 7])).tolist()
        [0, 0, 1, 2]
    """
    if not keys.size:
        return keys
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    is_first = np.concatenate(([True], ordered[1:] != ordered[:-1]))
    place = np.arange(keys.size)
    counted = np.empty_like(place)
    counted[order] = place - np.maximum.accumulate(np.where(is_first, place, 0))
    return counted


def coded(*columns: pl.Series) -> Ints:
    """Rows of columns as numbers: equal rows, nulls included, have equal ones."""
    table = pl.DataFrame([column.alias(str(n)) for n, column in enumerate(columns)])
    distinct = table.unique(maintain_order=True).with_row_index("code")
    joined = table.join(
        distinct, on=table.columns, how="left", nulls_equal=True, maintain_order="left"
    )
    return joined["code"].cast(pl.Int64).to_numpy()
