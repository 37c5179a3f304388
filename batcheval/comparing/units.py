"""Differences of scores pair by pair, and the independent units that they fall into."""

from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

Floats: TypeAlias = npt.NDArray[np.float64]
Codes: TypeAlias = npt.NDArray[np.intp]

DECIMALS: Final = 12  # beyond them a difference of two scores is rounding


class Sample(NamedTuple):
    """The pairs in which both sides are scored.

    Attributes:
        base: the scores of the base.
        candidate: those of the candidate.
        differences: candidate less base, so rounded that 0.7 - 0.6 equals 0.4 - 0.3.
        pass_fail: whether there are scores, all of them 0 or 1.
        codes: the number of each pair's cluster, or None if every pair stands alone.
    """

    base: Floats
    candidate: Floats
    differences: Floats
    pass_fail: bool
    codes: Codes | None


def sample_of(base: Floats, candidate: Floats, codes: Codes | None) -> Sample:
    """The pairs without null, NaN or an infinite score (in arrays, null is NaN)."""
    scored = np.isfinite(base) & np.isfinite(candidate)
    if not scored.all():
        base, candidate = base[scored], candidate[scored]
        codes = None if codes is None else codes[scored]
    pass_fail = base.size > 0 and all(((s == 0) | (s == 1)).all() for s in (base, candidate))
    differences = candidate - base
    differences = differences if pass_fail else np.round(differences, DECIMALS)
    return Sample(base, candidate, differences, bool(pass_fail), codes)


class Units(NamedTuple):
    """Independent units: pairs, or clusters of them.

    Attributes:
        total: of each unit, the sum of its differences.
        size: of each unit, how many differences it has.
    """

    total: Floats
    size: Floats

    @property
    def mean(self) -> float:
        """The mean difference over all pairs."""
        return float(self.total.sum() / self.size.sum())

    @property
    def residuals(self) -> Floats:
        """Of each unit, the sum of what its differences are above the mean."""
        return self.total - self.mean * self.size


def units_of(differences: Floats, codes: Codes | None) -> Units:
    """The units that differences fall into; clusters without any are left out."""
    if codes is None:
        return Units(differences, np.ones(differences.size))
    size = np.asarray(np.bincount(codes), dtype=np.float64)
    total = np.asarray(np.bincount(codes, weights=differences), dtype=np.float64)
    return Units(total[size > 0], size[size > 0])


def standard_error(units: Units) -> float | None:
    """The standard error of the mean difference, robust against what clusters have in common.

    The root of the sum over clusters of squared sums of residuals, over the number of pairs: the
    clustered standard error of Miller 2024, "Adding Error Bars to Evals" (arXiv 2411.00640). The
    sum is multiplied by G / (G - 1) for G clusters (Cameron and Miller 2015, "A Practitioner's
    Guide to Cluster-Robust Inference"), so that where each pair is a cluster the error is the
    standard deviation of the differences over the root of their number. None for fewer than two
    units.

    Example:
        >>> standard_error(units_of(np.array([0.0, 1.0, 0.0, 1.0]), np.array([0, 0, 1, 1])))
        0.0
    """
    count = units.size.size
    if count < 2:
        return None
    squares = float(np.square(units.residuals).sum()) * count / (count - 1)
    error = squares**0.5 / float(units.size.sum())
    return error if error > 10.0**-DECIMALS else 0.0


def as_floats(column: pl.Series) -> Floats:
    """A polars column as an array; null is NaN."""
    return np.asarray(column.to_numpy(), dtype=np.float64)
