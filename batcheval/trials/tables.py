"""What the trials of tasks come to: a row a scorer, and a row a scorer and k."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import polars as pl

from batcheval.comparing.proportions import Ends, share_interval
from batcheval.comparing.significance import error_interval
from batcheval.comparing.units import Floats, Units, as_floats, standard_error
from batcheval.trials.estimators import pass_at_k, pass_hat_k

SCORERS: Final = pl.Schema(
    {
        "scorer": pl.String(),
        "tasks": pl.Int64(),
        "trials": pl.Int64(),
        "unscored": pl.Int64(),
        "fewest": pl.Int64(),
        "most": pl.Int64(),
        "mean": pl.Float64(),
        "low": pl.Float64(),
        "high": pl.Float64(),
        "spread": pl.Float64(),
        "always": pl.Int64(),
        "sometimes": pl.Int64(),
        "never": pl.Int64(),
    }
)
AT_K: Final = pl.Schema(
    {
        "scorer": pl.String(),
        "k": pl.Int64(),
        "tasks": pl.Int64(),
        "left_out": pl.Int64(),
        "pass_at_k": pl.Float64(),
        "pass_at_k_low": pl.Float64(),
        "pass_at_k_high": pl.Float64(),
        "pass_hat_k": pl.Float64(),
        "pass_hat_k_low": pl.Float64(),
        "pass_hat_k_high": pl.Float64(),
    }
)


def scorer_row(scorer: str, tasks: pl.DataFrame, confidence: float) -> dict[str, Any]:
    """What is told of one scorer.

    Args:
        scorer: its id.
        tasks: its tasks, a row each.
        confidence: of the interval.
    """
    scored = tasks.filter(pl.col("trials") > 0)
    row = {"scorer": scorer, "tasks": scored.height, "unscored": tasks["unscored"].sum()}
    if not scored.height:
        return row | {"trials": 0, "always": 0, "sometimes": 0, "never": 0}
    passed, trials = scored["successes"], scored["trials"]
    always, never = int((passed == trials).sum()), int((passed == 0).sum())
    low, high = _mean_interval(scored, confidence)
    return row | {
        "trials": trials.sum(),
        "fewest": trials.min(),
        "most": trials.max(),
        "mean": scored["mean"].mean(),
        "low": low,
        "high": high,
        "spread": _spread(scored),
        "always": always,
        "sometimes": scored.height - always - never,
        "never": never,
    }


def _mean_interval(scored: pl.DataFrame, confidence: float) -> Ends:
    """Over tasks: of passes and fails that of a share, of graded scores Student's t."""
    means = as_floats(scored["mean"])
    units = Units(means, np.ones(means.size))
    # Only scores of 0 and 1 vary as much as their mean lets them.
    bound = as_floats(scored["mean"] * (1 - scored["mean"]))
    if np.allclose(np.square(as_floats(scored["spread"])), bound, rtol=0, atol=1e-12):
        return share_interval(units, int(scored["trials"].sum()), confidence)
    ends = error_interval(units, standard_error(units), confidence)
    return ends["se_low"], ends["se_high"]


def _spread(scored: pl.DataFrame) -> float | None:
    """The standard deviation among the trials of a task, from those that had several."""
    several = scored.filter(pl.col("trials") > 1)
    if not several.height:
        return None
    trials, spread = as_floats(several["trials"]), as_floats(several["spread"])
    return float(np.sqrt((trials * spread**2).sum() / (trials - 1).sum()))


def k_rows(
    scorer: str, tasks: pl.DataFrame, ks: Sequence[int], confidence: float
) -> list[dict[str, Any]]:
    """A row for each k, over the tasks with at least k scored trials."""
    return [_k_row(scorer, tasks, k, confidence) for k in ks]


def _k_row(scorer: str, tasks: pl.DataFrame, k: int, confidence: float) -> dict[str, Any]:
    enough = tasks.filter(pl.col("trials") >= k)
    row = {"scorer": scorer, "k": k, "tasks": enough.height}
    row |= {"left_out": tasks.height - enough.height}
    if not enough.height:
        return row
    trials, passed = as_floats(enough["trials"]), as_floats(enough["successes"])
    groups = int((trials // k).sum())  # of k trials each, none of them in two
    for name, estimate in (("pass_at_k", pass_at_k), ("pass_hat_k", pass_hat_k)):
        row |= _mean(name, estimate(trials, passed, k), groups, confidence)
    return row


def _mean(name: str, values: Floats, groups: int, confidence: float) -> dict[str, Any]:
    """The mean over tasks, and its interval: tasks vary independently, trials of one do not."""
    low, high = share_interval(Units(values, np.ones(values.size)), groups, confidence)
    return {name: float(values.mean()), f"{name}_low": low, f"{name}_high": high}
