"""Checks of how long the tools of a run took."""

from typing import Literal

import numpy as np
import polars as pl

from batcheval.checks.called.chosen import chosen_tool
from batcheval.checks.called.flat import Flat, flat
from batcheval.checks.called.found import found
from batcheval.checks.operands import listing, sentence
from batcheval.checks.structured.equality import distance
from batcheval.errors import BadArgumentError
from batcheval.schema import TOOL_CALLS
from batcheval.scorer import Verdict, batched, check, passed

__all__ = ["tool_duration"]


@check
def tool_duration(
    max_ms: float, *, of: Literal["each", "all"] = "each", tool_name: str | None = None
) -> Verdict:
    """No call took longer than `max_ms`, or all of them together did not: 1.0, else 0.0.

    1.0 without any call. Where a call does not tell its `duration_ms` a row is unscored, unless
    the others take too long already. Details: `duration_ms`, the longest or the sum, of those that
    tell it; `tools`, the names of calls that alone take longer than `max_ms`.

    Args:
        max_ms: milliseconds, 0 or more.
        of: "each" call, or "all" together, one after the other.
        tool_name: the exact name of the one tool to look at; None for all.

    Raises:
        BadArgumentError: an argument is of the wrong type or out of its range.

    Example:
        >>> calls = [{"name": "search", "state": "ok", "duration_ms": ms} for ms in (80.0, 90.0)]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:1], []]})
        >>> traces.select(tool_duration(100).score).to_series().to_list()
        [1.0, 1.0, 1.0]
        >>> traces.select(tool_duration(100, of="all").score).to_series().to_list()
        [0.0, 1.0, 1.0]
    """
    most, chosen = distance("max_ms", max_ms), chosen_tool(tool_name)
    if of not in ("each", "all"):
        raise BadArgumentError("of", "'each' or 'all'", of)

    def took(lists: pl.Series) -> pl.Series:
        calls = flat(lists, "duration_ms")
        rows, times = calls.rows, _known(calls)
        told = chosen(calls) & ~np.isnan(times)
        whole = np.zeros(calls.height)
        add = np.maximum if of == "each" else np.add
        add.at(whole, rows[told], times[told])
        return pl.Series(np.minimum(whole, np.finfo(float).max))

    silent = found(lambda calls: chosen(calls) & np.isnan(_known(calls)), "duration_ms")
    long = found(lambda calls: chosen(calls) & (_known(calls) > most), "duration_ms")
    time = batched(took, TOOL_CALLS)
    holds = pl.when(time > most).then(pl.lit(False)).when(silent.count == 0).then(pl.lit(True))
    what = "the longest call took" if of == "each" else "all calls took"
    told = f"{what} {{}} ms, longer than {most:g} ms alone were {{}}, and it should be at most that"
    reason = sentence(holds, told, time.round(1).cast(pl.String), listing(long.names))
    return passed(holds, pl.struct(duration_ms=time, tools=long.names), reason)


def _known(calls: Flat) -> np.ndarray:
    """How long each call took, NaN where that is not told or makes no sense."""
    times = calls.calls["duration_ms"].cast(pl.Float64).fill_null(np.nan).to_numpy()
    return np.where(np.isfinite(times) & (times >= 0), times, np.nan)
