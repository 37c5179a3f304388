"""AUROC: does a good row score higher than a bad one?"""

import math
from typing import NamedTuple

import numpy as np

from batcheval.agreeing.counts import Flags
from batcheval.comparing.units import Codes, Floats, standard_error, units_of


class Levels(NamedTuple):
    """The scores that occur, with how many rows of each kind have them.

    Attributes:
        scores: rising, each once.
        good: how many good rows have each.
        bad: how many bad ones.
        place: of each row, the number of its score.
        is_good: whether each row is labelled good.
    """

    scores: Floats
    good: Floats
    bad: Floats
    place: Codes
    is_good: Flags


def levels_of(scores: Floats, good: Flags) -> Levels:
    """The scores of good and of bad rows, counted."""
    levels, place = np.unique(scores, return_inverse=True)
    counts = [np.bincount(place[kind], minlength=levels.size) for kind in (good, ~good)]
    return Levels(levels, counts[0].astype(np.float64), counts[1].astype(np.float64), place, good)


def auroc(levels: Levels, codes: Codes | None, confidence: float) -> dict[str, float | None]:
    """The chance that a good row scores higher than a bad one, ties counted half, in 0..1.

    The standard error is that of DeLong, DeLong and Clarke-Pearson 1988, "Comparing the areas under
    two or more correlated receiver operating characteristic curves"; with clusters, what their rows
    add to it is summed first (Obuchowski 1997, "Nonparametric analysis of clustered ROC curve
    data"). The interval is symmetric in log odds. Where there is no error to tell it from, as with
    an AUROC of 1, it is that of Newcombe 2006, "Confidence intervals for an effect size measure
    based on the Mann-Whitney statistic", part 2, method 5; for scores that are all equal there is
    none. Where all labels are of one kind there is no AUROC.

    Args:
        levels: the scores of good and bad rows.
        codes: the number of each row's cluster, or None if every row stands alone.
        confidence: such as 0.95.

    Example:
        >>> good = np.array([False, True, False, True])
        >>> levels = levels_of(np.array([0.1, 0.4, 0.4, 0.8]), good)
        >>> auroc(levels, None, 0.95)["auroc"]
        0.875
    """
    from scipy.special import expit, logit, ndtri, stdtrit

    goods, bads = float(levels.good.sum()), float(levels.bad.sum())
    if not goods or not bads:
        return dict.fromkeys(("auroc", "auroc_low", "auroc_high"))
    beaten = (np.cumsum(levels.bad) - levels.bad / 2) / bads
    losing = 1 - (np.cumsum(levels.good) - levels.good / 2) / goods
    area = float(levels.good @ beaten) / goods
    if levels.scores.size == 1:
        return {"auroc": area, "auroc_low": None, "auroc_high": None}
    width = float(ndtri(0.5 + confidence / 2))
    if codes is None:
        error = _error(levels, beaten - area, losing - area)
    else:
        by_kind = (beaten - area)[levels.place] / goods, (losing - area)[levels.place] / bads
        units = units_of(np.where(levels.is_good, *by_kind), codes)
        if units.size.size < 2:
            return {"auroc": area, "auroc_low": None, "auroc_high": None}
        error = (standard_error(units) or 0.0) * levels.place.size  # of a sum, not of a mean
        width = float(stdtrit(units.size.size - 1, 0.5 + confidence / 2))
        goods, bads = (float(np.unique(codes[k]).size) for k in (levels.is_good, ~levels.is_good))
    if not error or not 0 < area < 1:
        low, high = newcombe(area, goods, bads, confidence)
    else:
        half = width * error / (area * (1 - area))
        low, high = float(expit(logit(area) - half)), float(expit(logit(area) + half))
    return {"auroc": area, "auroc_low": low, "auroc_high": high}


def _error(levels: Levels, beaten: Floats, losing: Floats) -> float | None:
    squares = 0.0
    for counts, away in ((levels.good, beaten), (levels.bad, losing)):
        rows = float(counts.sum())
        if rows < 2:
            return None
        squares += float(counts @ np.square(away)) / (rows * (rows - 1))
    return math.sqrt(squares)


def newcombe(area: float, goods: float, bads: float, confidence: float) -> tuple[float, float]:
    """Newcombe's interval of an AUROC, which has a width even where the AUROC is 1.

    Example:
        >>> low, high = newcombe(1.0, 10, 10, 0.95)
        >>> round(low, 3), high
        (0.8, 1.0)
    """
    from scipy.optimize import brentq
    from scipy.special import ndtri

    z2, mean = float(ndtri(0.5 + confidence / 2)) ** 2, (goods + bads) / 2 - 1

    def beyond(true: float) -> float:
        spread = 1 + mean * (1 - true) / (2 - true) + mean * true / (1 + true)
        return (area - true) ** 2 - z2 * true * (1 - true) * spread / (goods * bads)

    edge = 1e-12
    low = 0.0 if area < edge else brentq(beyond, edge * edge, area - edge)
    high = 1.0 if area > 1 - edge else brentq(beyond, area + edge, 1 - edge * edge)
    return float(low), float(high)
