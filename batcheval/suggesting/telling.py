"""What counts of runs allow to say: how often a thing holds at least, and what it tells."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from batcheval.comparing.families import holm

_ALONE: Final = 1.0  # the p of what was tried and is not shown


class Telling(NamedTuple):
    """How well a check tells good runs from bad ones; None where it cannot be said.

    Attributes:
        precision: of the runs that break it, the share that is bad.
        recall: of the bad runs, the share that breaks it.
        phi: the correlation of holding and being good, in -1..1.
        p: of Fisher's exact test, two-sided.
    """

    precision: float | None
    recall: float | None
    phi: float | None
    p: float | None


def at_least(holds: int, runs: int, confidence: float) -> float:
    """The lower bound of a share of independent runs, which is right with `confidence`.

    One-sided and exact (Clopper and Pearson 1934, "The use of confidence or fiducial limits
    illustrated in the case of the binomial"); for no break in n runs it is nearly 1 - 3/n at 0.95.
    For a limit that was put at a quantile of the same runs it is the coverage that Wilks 1941,
    "Determination of sample sizes for setting tolerance limits", guarantees.

    Args:
        holds: in how many runs.
        runs: of how many.
        confidence: such as 0.95.

    Example:
        >>> round(at_least(29, 29, 0.95), 3), round(at_least(190, 200, 0.95), 3)
        (0.902, 0.917)
    """
    from scipy.special import betaincinv

    if holds == 0:
        return 0.0
    return float(betaincinv(holds, runs - holds + 1, 1 - confidence))


def needed(share: float, confidence: float) -> int:
    """The fewest runs of which, where all of them hold, `at_least` is `share`.

    Example:
        >>> needed(0.9, 0.95), needed(0.99, 0.95)
        (29, 299)
    """
    return math.ceil(math.log(1 - confidence) / math.log(share) - 1e-9)


def telling(good: tuple[int, int], bad: tuple[int, int]) -> Telling:
    """What holding or not tells of runs, each counted once.

    Source of the test: Fisher 1935, "The logic of inductive inference"; of phi: Yule 1912, "On the
    methods of measuring association between two attributes".

    Args:
        good: the good runs that hold, and those that break it.
        bad: the bad runs likewise.

    Example:
        >>> found = telling((48, 2), (30, 20))
        >>> round(found.precision, 3), found.recall, round(found.phi, 3), round(found.p, 6)
        (0.909, 0.4, 0.435, 1.7e-05)
    """
    (a, b), (c, d) = good, bad
    if not (a + b and c + d):
        return Telling(None, None, None, None)
    from scipy.stats import fisher_exact

    product = (a + b) * (c + d) * (a + c) * (b + d)
    return Telling(
        precision=d / (b + d) if b + d else None,
        recall=d / (c + d),
        phi=(a * d - b * c) / math.sqrt(product) if product else None,
        p=float(fisher_exact([[a, b], [c, d]]).pvalue),
    )


def for_many(p_values: Sequence[float | None], tried: int) -> list[float | None]:
    """P adjusted for all that was tried, so that the chance of any false alarm is bounded.

    By Holm, as if all that is not shown had p = 1: were their own p known, the others could only
    become smaller. So it holds whatever was left out, and why.

    Args:
        p_values: of what is shown.
        tried: how many things were tried, these among them.

    Example:
        >>> for_many([0.001, None, 0.04], tried=10)
        [0.01, None, 0.36]
    """
    rest = max(tried - sum(p is not None for p in p_values), 0)
    return holm([*p_values, *[_ALONE] * rest])[: len(p_values)]
