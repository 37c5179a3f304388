"""What the paired scores of one scorer come to: a row of the comparison's table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl

from batcheval.comparing.bootstrap import SIMULATED, bca
from batcheval.comparing.effects import detectable, effect, error_for_power
from batcheval.comparing.pairs import BASE, CANDIDATE
from batcheval.comparing.pass_fail import adjusted_interval
from batcheval.comparing.significance import error_interval, tested
from batcheval.comparing.units import (
    Codes,
    Sample,
    Units,
    as_floats,
    sample_of,
    standard_error,
    units_of,
)
from batcheval.errors import BadArgumentError

MOST_RESAMPLES: Final = 1_000_000  # more tell no more, and fill the memory


@dataclass(frozen=True)
class Settings:
    """How intervals are made.

    Attributes:
        confidence: the share of intervals that hold the true difference.
        resamples: of each bootstrap; 0 for intervals from the standard error.
        seed: of each bootstrap.
    """

    confidence: float = 0.95
    resamples: int = 10_000
    seed: int = 0


def settings_of(confidence: float, resamples: int, seed: int) -> Settings:
    """How intervals are made; `BadArgumentError` if that makes no sense."""
    if not 0 < confidence < 1:
        raise BadArgumentError("confidence", "a number between 0 and 1, such as 0.95", confidence)
    if resamples != 0 and not 100 <= resamples <= MOST_RESAMPLES:
        wanted = f"0, or from 100 to {MOST_RESAMPLES:,}"
        raise BadArgumentError("resamples", wanted, resamples)
    if seed < 0:
        raise BadArgumentError("seed", "0 or more", seed)
    return Settings(confidence, resamples, seed)


def rows_of(
    frame: pl.DataFrame, scorers: Sequence[str], codes: Codes | None, settings: Settings
) -> list[dict[str, Any]]:
    """A row a scorer, without what depends on the other rows (adjusted p values, verdict)."""
    rows, waiting = [], []
    for scorer in scorers:
        base, candidate = (as_floats(frame[side + scorer]) for side in (BASE, CANDIDATE))
        sample = sample_of(base, candidate, codes)
        row, units = _row(sample, settings)
        unscored = (int((~np.isfinite(side)).sum()) for side in (base, candidate))
        row |= zip(("unscored_base", "unscored_candidate"), unscored, strict=True)
        rows.append({"scorer": scorer, **row})
        if units is not None:
            waiting.append((rows[-1], units))
        if units is not None and units.size.size > SIMULATED:  # many numbers: hold no further ones
            _fill(waiting, settings)
            waiting = []
    _fill(waiting, settings)
    return rows


def _fill(waiting: Sequence[tuple[dict[str, Any], Units]], settings: Settings) -> None:
    """Bootstrap those that wait for it, together."""
    samples = [units for _, units in waiting]
    ends = bca(samples, settings.confidence, settings.resamples, settings.seed)
    for (row, _), (low, high) in zip(waiting, ends, strict=True):
        row |= {"low": low, "high": high}


def _row(sample: Sample, settings: Settings) -> tuple[dict[str, Any], Units | None]:
    """What is told of a sample, and the units if it needs a bootstrap."""
    differences = sample.differences
    units = units_of(differences, sample.codes)
    clusters = None if sample.codes is None else units.size.size
    if not differences.size:
        return {"n": 0, "clusters": clusters}, None
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    error = standard_error(units)
    row = {
        "n": differences.size,
        "clusters": clusters,
        "base": float(sample.base.mean()),
        "candidate": float(sample.candidate.mean()),
        "difference": units.mean,
        "wins": wins,
        "ties": differences.size - wins - losses,
        "losses": losses,
        "se": error,
        **error_interval(units, error, settings.confidence),
        **tested(sample, units, wins, losses),
        **effect(sample, wins, losses),
        "mde": detectable(error_for_power(sample, error, wins, losses), settings.confidence),
    }
    interval, needs = _interval(sample, row, settings)
    return row | interval, units if needs else None


def _interval(
    sample: Sample, row: dict[str, Any], settings: Settings
) -> tuple[dict[str, Any], bool]:
    """The main interval, and whether it is still to be bootstrapped."""
    grouped = sample.codes is not None
    if sample.pass_fail and not grouped:
        counts = row["n"], row["wins"], row["losses"]
        low, high = adjusted_interval(*counts, settings.confidence)
        return {"interval": "Bonett-Price", "low": low, "high": high}, False
    if settings.resamples and row["se"] is not None:
        return {"interval": "cluster BCa" if grouped else "BCa"}, True
    name = "cluster-robust t" if grouped else "t"
    return {"interval": name, "low": row["se_low"], "high": row["se_high"]}, False
