"""Bootstrap intervals of mean differences: BCa, over pairs or whole clusters."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from batcheval.comparing.units import Floats, Units

SIMULATED: Final = 20_000  # units; beyond, the expansion is closer than 10,000 resamples are
_AT_ONCE: Final = 1 << 19  # draws held in memory

Interval = tuple[float, float]


def bca(samples: Sequence[Units], confidence: float, resamples: int, seed: int) -> list[Interval]:
    """The BCa bootstrap interval of the mean difference, for each of several scorers.

    Units are drawn with replacement, whole clusters where there are clusters, and the interval is
    corrected for bias and acceleration (Efron 1987, "Better bootstrap confidence intervals"; Efron
    and Tibshirani 1993, "An Introduction to the Bootstrap", chapter 14). A scorer's interval
    depends on its own units and the seed alone; scorers with equally many units share the draws.
    For more than 20,000 units the distribution is not drawn but expanded: see `expanded`.

    Args:
        samples: the units of each scorer, two or more.
        confidence: such as 0.95.
        resamples: how often all units are drawn.
        seed: of the draws.
    """
    found: dict[int, Interval] = {}
    groups: dict[int, list[int]] = {}
    for place, units in enumerate(samples):
        if units.size.size > SIMULATED:
            found[place] = expanded(units, confidence)
        else:
            groups.setdefault(units.size.size, []).append(place)
    for places in groups.values():
        totals = np.column_stack([samples[place].total for place in places])
        sizes = np.column_stack([samples[place].size for place in places])
        drawn = draws(totals, sizes, resamples, seed)
        for place, means in zip(places, drawn.T, strict=True):
            found[place] = corrected(samples[place], means, confidence)
    return [found[place] for place in range(len(samples))]


def draws(totals: Floats, sizes: Floats, resamples: int, seed: int) -> Floats:
    """The mean differences of resamples: a row each, a column a scorer; in bounded memory.

    Args:
        totals: a row a unit, a column a scorer.
        sizes: the same, or one column for all scorers.
        resamples: how many rows are wanted.
        seed: of the draws.
    """
    random, count = np.random.default_rng(seed), len(sizes)
    at_once = max(1, _AT_ONCE // count)
    means = np.empty((resamples, totals.shape[1]))
    for start in range(0, resamples, at_once):
        rows = min(at_once, resamples - start)
        drawn = random.integers(0, count, (rows, count))
        drawn += np.arange(rows)[:, None] * count
        often = np.bincount(drawn.ravel(), minlength=rows * count).reshape(rows, count)
        weights = often.astype(np.float64)
        means[start : start + rows] = weights @ totals / (weights @ sizes)
    return means


def corrected(units: Units, means: Floats, confidence: float) -> Interval:
    """The quantiles of the resampled means that BCa takes for the ends of the interval."""
    from scipy.special import ndtr, ndtri

    below = ((means < units.mean).mean() + (means <= units.mean).mean()) / 2
    if means.min() == means.max():
        return float(means[0]), float(means[0])
    bias = ndtri(np.clip(below, 1 / (2 * means.size), 1 - 1 / (2 * means.size)))
    shifted = bias + ndtri(_tails(confidence))
    levels = ndtr(bias + shifted / (1 - acceleration(units) * shifted))
    low, high = np.quantile(means, levels)
    return float(low), float(high)


def acceleration(units: Units) -> float:
    """How fast the standard error changes with the mean, from the means without each unit."""
    means = (units.total.sum() - units.total) / (units.size.sum() - units.size)
    away = means.mean() - means
    squares = float(np.square(away).sum())
    return float((away**3).sum()) / (6 * squares**1.5) if squares > 1e-300 else 0.0


def expanded(units: Units, confidence: float) -> Interval:
    """The BCa interval from the Cornish-Fisher expansion of the bootstrap distribution.

    For a mean, bias correction and acceleration are both a = skewness / (6 sqrt(n)), and to the
    second order the ends are mean + error * (z + a (2 z^2 + 1)) (Hall 1992, "The Bootstrap and
    Edgeworth Expansion", chapter 3). What is left out is of the order of error / n.
    """
    from scipy.special import ndtri

    error = math.sqrt(float(np.square(units.residuals).sum())) / float(units.size.sum())
    z, skew = ndtri(_tails(confidence)), acceleration(units)
    low, high = units.mean + error * (z + skew * (2 * z**2 + 1))
    return float(low), float(high)


def _tails(confidence: float) -> Floats:
    return np.array([(1 - confidence) / 2, (1 + confidence) / 2])
