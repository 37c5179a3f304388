"""The mean of one run's scores, and how sure it is."""

from typing import Any

import numpy as np
import polars as pl

from batcheval.comparing.clusters import recoded
from batcheval.comparing.significance import error_interval
from batcheval.comparing.units import Codes, Floats, standard_error, units_of


def mean_of(scores: Floats, codes: Codes | None = None, confidence: float = 0.95) -> dict[str, Any]:
    """The mean with an interval, over the traces or over whole clusters of them.

    Scores of 0 and 1 alone get Wilson's score interval (Wilson 1927, "Probable Inference, the Law
    of Succession, and Statistical Inference"). Others, and all in clusters, get Student's t by the
    standard error, which is robust against clusters (Miller 2024, "Adding Error Bars to Evals",
    arXiv 2411.00640); its ends are cut at 0 and 1. Clusters without any spread get Wilson's, each
    counted once.

    Args:
        scores: one a trace, in 0..1; NaN is unscored.
        codes: the number of each trace's cluster, or None if every trace stands alone.
        confidence: such as 0.95.

    Returns:
        `scored` and `unscored`, numbers of traces; `mean`, its interval `low` to `high` and how it
        was made (`interval`), each None where there is nothing to tell it from.

    Example:
        >>> found = mean_of(np.array([1.0, 1.0, 1.0, 0.0]))
        >>> found["mean"], round(found["low"], 3), round(found["high"], 3), found["interval"]
        (0.75, 0.301, 0.954, 'Wilson')
    """
    known = np.isfinite(scores)
    kept, count = scores[known], int(known.sum())
    row: dict[str, Any] = {"scored": count, "unscored": scores.size - count}
    if not count:
        return row | {"mean": None, "low": None, "high": None, "interval": None}
    units = units_of(kept, None if codes is None else recoded(codes[known]))
    clustered, mean = units.size.size < count, float(kept.mean())
    pass_fail = bool(((kept == 0) | (kept == 1)).all())
    error = standard_error(units)
    if pass_fail and (not clustered or not error):
        low, high = wilson(mean, units.size.size, confidence)
        return row | {"mean": mean, "low": low, "high": high, "interval": "Wilson"}
    ends = error_interval(units, error, confidence)
    if error is None:
        return row | {"mean": mean, "low": None, "high": None, "interval": None}
    low, high = max(ends["se_low"], 0.0), min(ends["se_high"], 1.0)
    name = "cluster-robust t" if clustered else "t"
    return row | {"mean": mean, "low": low, "high": high, "interval": name}


def wilson(share: float, count: int, confidence: float) -> tuple[float, float]:
    """Wilson's score interval of a share of `count`.

    Example:
        >>> [round(end, 3) for end in wilson(1.0, 10, 0.95)]
        [0.722, 1.0]
    """
    from scipy.special import ndtri

    z = float(ndtri(0.5 + confidence / 2))
    shrunk = 1 + z * z / count
    middle = (share + z * z / (2 * count)) / shrunk
    width = z * (share * (1 - share) / count + z * z / (4 * count * count)) ** 0.5 / shrunk
    return max(middle - width, 0.0), min(middle + width, 1.0)


def task_codes(scores: pl.LazyFrame) -> Codes | None:
    """The cluster of each trace: those of one task; None where no task was tried twice.

    A trace whose `task_id` is null stands alone.
    """
    if "task_id" not in scores.collect_schema():
        return None
    ranks = scores.select(pl.col("task_id").cast(pl.String).rank("dense")).collect().to_series()
    alone = ranks.is_null().to_numpy()
    tasks = int(ranks.max() or 0)  # type: ignore[arg-type]
    if tasks == ranks.len() - ranks.null_count():
        return None
    codes = ranks.fill_null(1).to_numpy().astype(np.intp) - 1
    codes[alone] = tasks + np.arange(alone.sum())
    return codes
