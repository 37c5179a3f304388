"""The Wilcoxon signed-rank test, in the time that sorting takes."""

import math
from typing import Final

import numpy as np

from batcheval.comparing.units import Floats

_EXACT: Final = 50  # up to so many pairs that differ, all signs are gone through


def signed_rank(differences: Floats) -> float:
    """The two-sided p of the Wilcoxon signed-rank test, in 0..1; 1 if no pair differs.

    Pairs that tie are left out and equal differences share their mean rank (Wilcoxon 1945,
    "Individual comparisons by ranking methods"). For up to 50 pairs that differ the distribution of
    the ranks' sum is exact, with equal differences too (Streitberg and Röhmel 1986, "Exact
    distributions for permutation and rank tests"); beyond, it is normal with the variance corrected
    for equal differences. `scipy.stats.wilcoxon` gives the same where it is exact or asymptotic.

    Example:
        >>> signed_rank(np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]))
        0.03125
    """
    ranks, sizes, positive = _tied_ranks(differences[differences != 0])
    if not ranks.size:
        return 1.0
    total = float(ranks @ positive)
    if sizes.sum() <= _EXACT:
        return _exact(np.repeat(ranks, sizes.astype(int)), total)
    return _asymptotic(sizes, total)


def _tied_ranks(differences: Floats) -> tuple[Floats, Floats, Floats]:
    """By absolute difference: its rank, how often it stands, how often it is above zero."""
    # Floats above zero sort as the integers of the same bits. The lowest bit carries the sign:
    # rounding to twelve decimals has left no two differences that it alone tells apart.
    bits = np.abs(differences).view(np.int64) & ~np.int64(1) | (differences > 0)
    bits.sort()
    starts = np.flatnonzero(np.diff(bits >> 1, prepend=-1))
    if not starts.size:
        return np.empty(0), np.empty(0), np.empty(0)
    sizes = np.diff(starts, append=bits.size).astype(np.float64)
    positive = np.add.reduceat(bits & 1, starts).astype(np.float64)
    return starts + (sizes + 1) / 2, sizes, positive


def _exact(ranks: Floats, total: float) -> float:
    """The share of all ways to sign the ranks whose sum is as far out, or farther."""
    doubled = np.rint(2 * ranks).astype(int)  # mean ranks may end in one half
    ways = np.zeros(doubled.sum() + 1)
    ways[0] = 1
    for rank in doubled:
        ways[rank:] += ways[:-rank].copy()
    at = round(2 * total)
    tail = min(ways[: at + 1].sum(), ways[at:].sum())
    return min(1.0, 2 * float(tail) / 2.0**ranks.size)


def _asymptotic(sizes: Floats, total: float) -> float:
    n = float(sizes.sum())
    ties = float((sizes**3 - sizes).sum())
    variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    z = (total - n * (n + 1) / 4) / math.sqrt(variance)
    return math.erfc(abs(z) / math.sqrt(2))
