"""Is there a difference? The test that fits the scores, and the interval of the t test."""

from typing import Any, Final

from batcheval.comparing.pass_fail import mcnemar
from batcheval.comparing.signed_rank import signed_rank
from batcheval.comparing.units import Sample, Units, standard_error

MCNEMAR: Final = "exact McNemar"
WILCOXON: Final = "Wilcoxon signed-rank"
ROBUST: Final = "cluster-robust t"


def tested(sample: Sample, units: Units, wins: int, losses: int) -> dict[str, Any]:
    """The test and its two-sided p: by clusters where there are some, else by kind of score."""
    if sample.codes is not None:
        return {"test": ROBUST, "p": robust_t(units)}
    if sample.pass_fail:
        return {"test": MCNEMAR, "p": mcnemar(wins, losses)}
    return {"test": WILCOXON, "p": signed_rank(sample.differences)}


def robust_t(units: Units) -> float | None:
    """The two-sided p of the mean difference over its cluster-robust standard error.

    Student's t with one degree of freedom less than there are clusters (Cameron and Miller 2015, "A
    Practitioner's Guide to Cluster-Robust Inference"). None for one cluster. If all clusters differ
    by the same amount there is no error to divide by: then it is 2 / 2^G, the share of the ways to
    sign G clusters that come out so far.
    """
    from scipy.special import stdtr

    error, count = standard_error(units), units.size.size
    if error is None:
        return None
    if error == 0:
        return 1.0 if abs(units.mean) < 1e-12 else 2.0 ** (1 - count)
    return float(2 * stdtr(count - 1, -abs(units.mean / error)))


def error_interval(units: Units, error: float | None, confidence: float) -> dict[str, Any]:
    """The mean difference, and so many standard errors to both sides as Student's t says."""
    from scipy.special import stdtrit

    if error is None:
        return {"se_low": None, "se_high": None}
    width = float(stdtrit(units.size.size - 1, 0.5 + confidence / 2)) * error
    return {"se_low": units.mean - width, "se_high": units.mean + width}
