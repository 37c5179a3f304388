"""How large a difference is, and how large one must be to be seen."""

from typing import Any, Final

from batcheval.comparing.pass_fail import adjusted, cohen_g
from batcheval.comparing.units import Floats, Sample, standard_error, units_of

POWER: Final = 0.8


def effect(sample: Sample, wins: int, losses: int) -> dict[str, Any]:
    """The effect size and its name: Cohen's g of passes and fails, Cohen's dz of graded scores."""
    if sample.pass_fail:
        return {"effect": cohen_g(wins, losses), "effect_name": "Cohen's g"}
    return {"effect": cohen_dz(sample.differences), "effect_name": "Cohen's dz"}


def cohen_dz(differences: Floats) -> float | None:
    """The mean difference in standard deviations of the differences; None if they are all one.

    Cohen 1988, "Statistical Power Analysis for the Behavioral Sciences", chapter 2. Without any
    difference it is 0.
    """
    if not differences.any():
        return 0.0
    error = standard_error(units_of(differences, None))
    return float(differences.mean() / (error * differences.size**0.5)) if error else None


def error_for_power(sample: Sample, error: float | None, wins: int, losses: int) -> float | None:
    """The standard error that power is told from: of passes and fails, one that is never 0."""
    if sample.pass_fail and sample.codes is None:
        return adjusted(sample.base.size, wins, losses)[1]
    return error


def detectable(error: float | None, confidence: float) -> float | None:
    """The true difference that a two-sided test would show in 4 of 5 such comparisons.

    (z(1 - alpha / 2) + z(0.8)) standard errors, the power analysis of Miller 2024, "Adding Error
    Bars to Evals" (arXiv 2411.00640), for one test. None where the scores show no spread.
    """
    from scipy.special import ndtri

    if not error:
        return None
    return float(ndtri(0.5 + confidence / 2) + ndtri(POWER)) * error
