"""Counts by key, gathered frame by frame in bounded memory."""

from typing import Final

import polars as pl

MOST: Final = 10_000  # keys that are held
_MANY: Final = 50


class Sums:
    """Adds up numbers by key; of very many keys those with the largest first number stay.

    Args:
        keys: the columns that make a key; all others are added up.

    Example:
        >>> sums = Sums("name")
        >>> for names in (["a", "b"], ["b"]):
        ...     sums.add(pl.DataFrame({"name": names}).with_columns(n=1))
        >>> sums.table().rows()
        [('b', 2), ('a', 1)]
    """

    def __init__(self, *keys: str) -> None:
        self._keys = keys
        self._held: list[pl.DataFrame] = []

    def add(self, rows: pl.DataFrame) -> None:
        """Count further rows, always of the same columns."""
        self._held.append(self._summed(rows))
        if len(self._held) > _MANY:
            self._held = [self.table().head(MOST)]

    def table(self) -> pl.DataFrame:
        """A row a key, the largest first number first, then by key."""
        table = self._summed(pl.concat(self._held))
        first = next(name for name in table.columns if name not in self._keys)
        order = [first, *self._keys]
        return table.sort(order, descending=[True, *[False] * len(self._keys)], nulls_last=True)

    def _summed(self, rows: pl.DataFrame) -> pl.DataFrame:
        return rows.group_by(self._keys).agg(pl.all().cast(pl.Int64).sum())
