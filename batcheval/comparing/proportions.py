"""Intervals of shares, which keep a width where all rows agree and know of clusters."""

import math

from batcheval.comparing.units import Units, standard_error

Ends = tuple[float | None, float | None]


def wilson(share: float, rows: float, confidence: float) -> tuple[float, float]:
    """The score interval of a share of independent rows, within 0..1.

    Wilson 1927, "Probable inference, the law of succession, and statistical inference";
    recommended by Brown, Cai and DasGupta 2001, "Interval estimation for a binomial proportion".

    Args:
        share: in 0..1.
        rows: how many rows it is of, above 0; no whole number need be.
        confidence: such as 0.95.

    Example:
        >>> low, high = wilson(1.0, 10, 0.95)
        >>> round(low, 3), high
        (0.722, 1.0)
    """
    from scipy.special import ndtri

    z = float(ndtri(0.5 + confidence / 2))
    weight = 1 + z * z / rows
    middle = (share + z * z / (2 * rows)) / weight
    width = z * math.sqrt(share * (1 - share) / rows + (z / (2 * rows)) ** 2) / weight
    low, high = max(0.0, middle - width), min(1.0, middle + width)
    return (0.0 if share == 0 else low), (1.0 if share == 1 else high)


def share_interval(units: Units, rows: int, confidence: float) -> Ends:
    """The interval of a share, or of a mean of shares, over clusters that vary independently.

    Wilson's interval with the effective number of rows: so many independent ones as would have the
    cluster-robust standard error that was found, never more than `rows`, and fewer by what
    Student's t is wider than the normal distribution for G clusters (Korn and Graubard 1998,
    "Confidence intervals for proportions with small expected number of positive counts estimated
    from survey data"; with Wilson's interval Dean and Pagano 2015, "Evaluating confidence interval
    methods for binomial proportions in clustered surveys"). Clusters that all have one share count
    as one row each. None for fewer than two clusters.

    Args:
        units: of each cluster, the sum of what lies in 0..1, and of how many.
        rows: the most independent rows there can be.
        confidence: such as 0.95.

    Example:
        >>> import numpy as np
        >>> low, high = share_interval(Units(np.ones(10), np.ones(10)), 40, 0.95)
        >>> round(low, 3), high
        (0.661, 1.0)
    """
    from scipy.special import ndtri, stdtrit

    error, count = standard_error(units), units.size.size
    if error is None:
        return None, None
    share = min(max(units.mean, 0.0), 1.0)
    effective = min(share * (1 - share) / error**2, rows) if error else count
    level = 0.5 + confidence / 2
    fewer = float(ndtri(level) / stdtrit(count - 1, level)) ** 2
    return wilson(share, max(effective, 1e-9) * fewer, confidence)
