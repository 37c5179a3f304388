"""Verdicts against labels, counted: agreement, precision, recall, F1 and Cohen's kappa."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from batcheval.comparing.proportions import Ends, share_interval, wilson
from batcheval.comparing.units import Codes, Floats, standard_error, units_of

Flags = npt.NDArray[np.bool_]


def counted(passed: Flags, good: Flags, codes: Codes | None, confidence: float) -> dict[str, Any]:
    """The four counts, and the shares that are made of them with their intervals.

    Agreement, precision and recall are shares of rows and have Wilson's interval, or with clusters
    the one of `share_interval`. F1 is 2J / (1 + J), where J is the share of rows both passed and
    good among those that are either, and has the interval of J so transformed.

    Args:
        passed: whether each row passes the check.
        good: whether it is labelled good.
        codes: the number of its cluster, or None if every row stands alone.
        confidence: such as 0.95.
    """
    both, either, same = passed & good, passed | good, passed == good
    cells = {"tp": both, "fp": passed & ~good, "fn": good & ~passed, "tn": ~either}
    row: dict[str, Any] = {name: int(cell.sum()) for name, cell in cells.items()}
    everything = np.ones(passed.size, dtype=np.bool_)
    row |= _share("agreement", same, everything, codes, confidence)
    row |= _share("precision", good, passed, codes, confidence)
    row |= _share("recall", passed, good, codes, confidence)
    overlap = _share("f1", both, either, codes, confidence)
    row |= {name: None if j is None else 2 * j / (1 + j) for name, j in overlap.items()}
    return row | kappa(passed, good, codes, confidence)


def _share(
    name: str, hits: Flags, among: Flags, codes: Codes | None, confidence: float
) -> dict[str, float | None]:
    rows = int(among.sum())
    if not rows:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    found = hits[among]
    share = float(found.mean())
    ends: Ends = wilson(share, rows, confidence)
    if codes is not None:
        units = units_of(found.astype(np.float64), codes[among])
        ends = share_interval(units, rows, confidence)
    return {name: share, f"{name}_low": ends[0], f"{name}_high": ends[1]}


def kappa(
    passed: Flags, good: Flags, codes: Codes | None, confidence: float
) -> dict[str, float | None]:
    """Cohen's kappa in -1..1: agreement beyond what the two shares alone would give by chance.

    Cohen 1960, "A coefficient of agreement for nominal scales". Its standard error is that of
    Fleiss, Cohen and Everitt 1969, "Large sample standard errors of kappa and weighted kappa", from
    what each row adds to it; with clusters, from what each cluster adds. Where nothing varies in
    it, as with perfect agreement, the interval is that of the agreement, chance taken as found.
    Where verdicts or labels are all of one kind, kappa is 0 and has none; if they are the same
    kind, there is no kappa.

    Example:
        >>> flags = np.array([True, True, False, False])
        >>> kappa(flags, flags, None, 0.95)["kappa"]
        1.0
    """
    none = dict.fromkeys(("kappa", "kappa_low", "kappa_high"))
    if not passed.size:
        return none
    says, means = float(passed.mean()), float(good.mean())
    observed = float((passed == good).mean())
    chance = says * means + (1 - says) * (1 - means)
    if chance == 1:
        return none
    if says in (0, 1) or means in (0, 1):
        return {**none, "kappa": 0.0}
    added = (passed == good) - observed
    by_chance = (passed - says) * (2 * means - 1) + (good - means) * (2 * says - 1)
    added = added / (1 - chance) - by_chance * (1 - observed) / (1 - chance) ** 2
    value = (observed - chance) / (1 - chance)
    width = _width(added, codes, confidence)
    if width is None:
        return {**none, "kappa": value}
    low, high = value - width, value + width
    if width < 1e-12:
        same = _share("", passed == good, np.ones_like(passed), codes, confidence)
        low, high = ((((same[end] or 0.0) - chance) / (1 - chance)) for end in ("_low", "_high"))
    return {"kappa": value, "kappa_low": max(-1.0, low), "kappa_high": min(1.0, high)}


def _width(added: Floats, codes: Codes | None, confidence: float) -> float | None:
    """Half the interval of a number of which each row adds a part; None for one cluster."""
    from scipy.special import ndtri, stdtrit

    level = 0.5 + confidence / 2
    if codes is None:
        return float(ndtri(level)) * math.sqrt(float(np.square(added).sum())) / added.size
    units = units_of(added, codes)
    error = standard_error(units)
    return None if error is None else float(stdtrit(units.size.size - 1, level)) * error
