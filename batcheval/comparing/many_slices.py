"""What the differences in many slices at once come to: sums, and from these the tests."""

from typing import NamedTuple

import numpy as np

from batcheval.comparing.significance import MCNEMAR, ROBUST
from batcheval.comparing.units import Codes, Floats

T_TEST = "paired t"
_ROUNDING = 1e-11  # of the sum of squares


class Sums(NamedTuple):
    """What is summed up of the units (pairs, or clusters) of each slice.

    Attributes:
        n: the pairs that are scored on both sides.
        total: the sum of their differences.
        squares: the sum over pairs of squared differences.
        units: how many units they fall into.
        totals_squared: the sum over units of the squared sum of their differences.
        cross: the sum over units of that sum times their pairs.
        sizes_squared: the sum over units of their pairs squared.
    """

    n: Floats
    total: Floats
    squares: Floats
    units: Floats
    totals_squared: Floats
    cross: Floats
    sizes_squared: Floats


class Grouping:
    """The rows of many slices, and the clusters that they fall into there.

    Args:
        rows: which pairs are in the slices, as often as they are in one.
        codes: in which, from 0 without gaps.
        clusters: the cluster of every pair, or None.
    """

    def __init__(self, rows: Codes, codes: Codes, clusters: Codes | None) -> None:
        self._rows, self._codes = rows, codes
        self._slices = int(codes.max()) + 1 if codes.size else 0
        self._unit_of: Codes | None = None
        if clusters is not None and codes.size:
            wide = int(clusters.max()) + 1
            unit, self._unit_of = np.unique(codes * wide + clusters[rows], return_inverse=True)
            self._slice_of_unit = unit // wide

    def sizes(self) -> Codes:
        """How many pairs are in each slice."""
        return self._sum(None, self._codes, self._slices).astype(np.intp)

    def signatures(self, marks: Floats) -> Floats:
        """The sums of the pairs' marks, which tell slices with the same pairs."""
        return self._sum(marks[self._rows], self._codes, self._slices)

    def sums(self, differences: Floats) -> Sums:
        """The sums of the differences; NaN is unscored."""
        scored = np.isfinite(differences)
        size = scored.astype(np.float64)[self._rows]
        change = np.where(scored, differences, 0.0)[self._rows]
        n = self._sum(size, self._codes, self._slices)
        total = self._sum(change, self._codes, self._slices)
        squares = self._sum(change * change, self._codes, self._slices)
        if self._unit_of is None:
            return Sums(n, total, squares, n, squares, total, n)
        units, of = self._slice_of_unit.size, self._slice_of_unit
        unit_size = self._sum(size, self._unit_of, units)
        unit_total = self._sum(change, self._unit_of, units)
        has_any = np.asarray(unit_size > 0, dtype=np.float64)
        parts: list[Floats] = [
            has_any,
            np.square(unit_total),
            unit_total * unit_size,
            np.square(unit_size),
        ]
        return Sums(n, total, squares, *(self._sum(part, of, self._slices) for part in parts))

    @staticmethod
    def _sum(values: Floats | None, codes: Codes, length: int) -> Floats:
        return np.bincount(codes, weights=values, minlength=length).astype(np.float64)


def p_values(sums: Sums, pass_fail: bool, clustered: bool) -> tuple[Floats, str]:
    """The two-sided p of each slice, NaN where none can be told, and the name of the test.

    The exact McNemar test of passes and fails; else Student's t of the differences' mean, of
    clusters' with their robust error. They are those of `tested`, save that graded scores have
    Student's t for the signed-rank test, whose ranks cannot be had from sums.
    """
    if pass_fail and not clustered:
        return _mcnemar(sums), MCNEMAR
    return _t(sums), ROBUST if clustered else T_TEST


def _mcnemar(sums: Sums) -> Floats:
    from scipy.special import bdtr

    wins = np.rint((sums.squares + sums.total) / 2)
    losses = np.rint((sums.squares - sums.total) / 2)
    tried = np.maximum(wins + losses, 1).astype(np.int64)
    either = np.minimum(1.0, 2 * bdtr(np.minimum(wins, losses), tried, 0.5))
    return np.where(wins + losses > 0, either, 1.0)


def _t(sums: Sums) -> Floats:
    from scipy.special import stdtr

    count = sums.units
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = sums.total / sums.n
        spread = sums.totals_squared - 2 * mean * sums.cross + mean**2 * sums.sizes_squared
        none = spread <= _ROUNDING * sums.totals_squared
        error = np.sqrt(np.where(none, np.nan, spread) * count / (count - 1)) / sums.n
        p = 2 * stdtr(count - 1, -np.abs(mean / error))
        alike = np.where(np.abs(mean) < 1e-12, 1.0, 2.0 ** (1 - count))
    return np.where(count < 2, np.nan, np.where(none, alike, p))
