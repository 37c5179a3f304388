"""The scores of several turns or messages of a row as one."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
import polars as pl

from batcheval.checks.conversations.units import Units
from batcheval.errors import BadArgumentError
from batcheval.schema.series import relist

Way: TypeAlias = Literal["mean", "min", "all"]

WAYS: Final = ("mean", "min", "all")
EACH: Final = pl.List(pl.Struct({"index": pl.Int64, "score": pl.Float64, "reason": pl.String}))


class Folding(NamedTuple):
    """How the scores of a row become one.

    Attributes:
        way: their mean, the least of them, or whether all are 1.0.
        least: a score of at least this counts as 1.0, one below as 0.0; None keeps them.
        at: the places among those of the row that count, from the end if negative; None for all.
    """

    way: Way
    least: float | None
    at: tuple[int, ...] | None

    def chosen(self, units: Units, count: int) -> Units:
        """Only the units that count."""
        if self.at is None:
            return units
        sizes = np.bincount(units.rows, minlength=count)
        place = np.arange(len(units.rows)) - (np.cumsum(sizes) - sizes)[units.rows]
        kept = np.isin(place, self.at) | np.isin(place - sizes[units.rows], self.at)
        columns = {name: column.filter(pl.Series(kept)) for name, column in units.columns.items()}
        return units._replace(rows=units.rows[kept], places=units.places[kept], columns=columns)

    def judged(self, scores: pl.Series) -> pl.Series:
        """The scores of units, held against `least`."""
        return scores if self.least is None else (scores >= self.least).cast(pl.Float64)

    def folded(self, units: Units, scores: pl.Series, count: int) -> pl.Series:
        """A score for each row, null where no unit is scored."""
        known = scores.is_not_null().to_numpy()
        rows, values = units.rows[known], scores.filter(pl.Series(known)).to_numpy()
        if self.way == "mean":
            sizes = np.bincount(rows, minlength=count)
            found = np.bincount(rows, values, minlength=count) / np.maximum(sizes, 1)
            found = np.clip(found, 0, 1)
        else:
            found = np.full(count, 1.0)
            np.minimum.at(found, rows, values)
            found = found if self.way == "min" else (found == 1).astype(np.float64)
        unscored = (np.bincount(rows, minlength=count) == 0) | units.unknown
        return pl.Series(found).set(pl.Series(unscored), None)


def listed(units: Units, scores: pl.Series, reasons: pl.Series, count: int) -> pl.Series:
    """The units of each row with their scores and reasons."""
    items = pl.DataFrame({"index": units.places, "score": scores, "reason": reasons})
    return relist(items, pl.Series(np.bincount(units.rows, minlength=count)))


def folding(way: object, least: float | None, at: object) -> Folding:
    """The arguments `score`, `least` and `at`, where `least` is one already.

    Raises:
        BadArgumentError: they make no sense.
    """
    if way not in WAYS:
        raise BadArgumentError("score", "'mean', 'min' or 'all'", way)
    if at is None:
        return Folding(way, least, None)
    places = list(at) if isinstance(at, Sequence) and not isinstance(at, str) else [at]
    if not places or any(type(place) is not int or abs(place) >= 2**31 for place in places):
        wanted = "an index such as 0 for the first or -1 for the last, or a list of such"
        raise BadArgumentError("at", wanted, at)
    return Folding(way, least, tuple(places))  # type: ignore[arg-type]
