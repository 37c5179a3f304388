"""Pass and fail on pairs: the exact McNemar test, and an interval that holds for few pairs."""

import math


def mcnemar(wins: int, losses: int) -> float:
    """The two-sided p of the exact McNemar test, in 0..1; 1 if no pair differs.

    Given that a pair differs, either side is the better one with likelihood 1/2, unless the runs
    are unequal: a binomial test of the wins among the pairs that differ (McNemar 1947, "Note on the
    sampling error of the difference between correlated proportions").

    Example:
        >>> mcnemar(5, 0), mcnemar(0, 0)
        (0.0625, 1.0)
    """
    from scipy.stats import binomtest

    if wins + losses == 0:
        return 1.0
    return float(binomtest(wins, wins + losses, 0.5).pvalue)


def adjusted(pairs: int, wins: int, losses: int) -> tuple[float, float]:
    """The difference of two shares, and its standard error, one win and one loss added.

    Bonett and Price 2012, "Adjusted Wald confidence interval for a difference of binomial
    proportions based on paired data"; recommended by Fagerland, Lydersen and Laake 2014,
    "Recommended tests and confidence intervals for paired binomial proportions". Unlike the plain
    one it has a width where all pairs tie, and keeps its promise on few pairs.
    """
    won, lost = (wins + 1) / (pairs + 2), (losses + 1) / (pairs + 2)
    variance = won + lost - (won - lost) ** 2
    return won - lost, math.sqrt(variance / (pairs + 2))


def adjusted_interval(pairs: int, wins: int, losses: int, confidence: float) -> tuple[float, float]:
    """The interval of the difference of two shares, within -1..1; its source is at `adjusted`.

    Example:
        >>> low, high = adjusted_interval(10, 0, 0, 0.95)
        >>> round(low, 3), round(high, 3)
        (-0.231, 0.231)
    """
    from scipy.special import ndtri

    middle, error = adjusted(pairs, wins, losses)
    width = float(ndtri(0.5 + confidence / 2)) * error
    return max(-1.0, middle - width), min(1.0, middle + width)


def cohen_g(wins: int, losses: int) -> float:
    """How far the share of wins among the pairs that differ is from 1/2, in -0.5..0.5.

    Cohen 1988, "Statistical Power Analysis for the Behavioral Sciences", chapter 5; 0 if none do.
    """
    return wins / (wins + losses) - 0.5 if wins + losses else 0.0
