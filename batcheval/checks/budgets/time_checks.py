"""Checks of how long a run took: as a whole, its tools, and until its first answer."""

from typing import Final

import polars as pl

from batcheval.checks.budgets.grading import amount, budget, held
from batcheval.errors import BadArgumentError
from batcheval.schema import TOOL_CALLS
from batcheval.scorer import Verdict, check

__all__ = ["latency", "time_to_first_answer", "tool_time"]

_LATENCY: Final = amount(pl.col("latency_ms"))
_ONE_TEXT: Final = pl.col("assistant_texts").list.len() == 1


def _durations(calls: pl.Series) -> pl.Series:
    """The sums of durations, null where a call does not tell its own."""
    field = pl.element().struct.field
    counts = ((field("name") != "") & field("state").ne_missing("partial")).fill_null(False)
    took = field("duration_ms")
    known = (took.is_finite() & (took >= 0)).fill_null(False)
    total = calls.list.eval(pl.when(counts).then(pl.when(known).then(took).otherwise(float("nan"))))
    return total.list.sum().fill_nan(None)


_TOOL_TIME: Final = TOOL_CALLS.map_batches(_durations, return_dtype=pl.Float64, is_elementwise=True)


@check
def latency(max_ms: float | pl.Expr, *, zero_at_ms: float | None = None) -> Verdict:
    """The run took at most `max_ms`: 1.0; more: 0.0, or less the nearer it is to `zero_at_ms`.

    The time is that in the column `latency_ms`, of the run as a whole; a row without it is
    unscored. Details: `latency_ms`.

    Args:
        max_ms: milliseconds, 0 or more; or an expression with as many per row, where null leaves a
            row unscored.
        zero_at_ms: more than `max_ms`; from `max_ms` on the score falls in a straight line, to 0.0
            here.

    Raises:
        BadArgumentError: an argument is of another kind, or `zero_at_ms` is not above `max_ms`.

    Example:
        >>> traces = pl.DataFrame({"latency_ms": [800.0, 1200.0, None]})
        >>> traces.select(latency(1000, zero_at_ms=1800).score).to_series().to_list()
        [1.0, 0.75, None]
    """
    allowed = budget("max_ms", max_ms, "zero_at_ms", zero_at_ms)
    found = "the run took {} ms, and should take at most {}"
    return held(_LATENCY, allowed, found, pl.struct(latency_ms=_LATENCY))


@check
def tool_time(max_ms: float | pl.Expr, *, zero_at_ms: float | None = None) -> Verdict:
    """The tool calls took at most `max_ms`: 1.0; more: 0.0, or less the nearer to `zero_at_ms`.

    The time is the sum of all `duration_ms`, also where calls overlap or lie within each other; 0
    without a call. A row with a call that does not tell its own is unscored. Details:
    `tool_time_ms`.

    Args:
        max_ms: as in `latency`.
        zero_at_ms: likewise.

    Raises:
        BadArgumentError: an argument is of another kind, or `zero_at_ms` is not above `max_ms`.

    Example:
        >>> calls = [{"name": "search", "state": "ok", "duration_ms": ms} for ms in (300.0, 900.0)]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:1]]})
        >>> traces.select(tool_time(1000).score).to_series().to_list()
        [0.0, 1.0]
    """
    allowed = budget("max_ms", max_ms, "zero_at_ms", zero_at_ms)
    found = "the tool calls took {} ms together, and should take at most {}"
    return held(_TOOL_TIME, allowed, found, pl.struct(tool_time_ms=_TOOL_TIME))


@check
def time_to_first_answer(
    max_ms: float | pl.Expr, *, zero_at_ms: float | None = None, on: pl.Expr | None = None
) -> Verdict:
    """The first text came within `max_ms`: 1.0; later: 0.0, or less the nearer to `zero_at_ms`.

    Details: `first_answer_ms`.

    Args:
        max_ms: as in `latency`.
        zero_at_ms: likewise.
        on: a column, or a path such as `metadata.first_token_ms`, with the milliseconds from the
            start to the first text; a row without is unscored. None: traces do not tell when a text
            came, but a run that said one text only, by `assistant_texts`, had it when it ended, by
            `latency_ms`; all others are unscored.

    Raises:
        BadArgumentError: an argument is of another kind, or `zero_at_ms` is not above `max_ms`.

    Example:
        >>> from batcheval.schema import canonical
        >>> said = {"assistant_texts": [["Sunny."], ["Let me see.", "Sunny."]]}
        >>> traces = canonical(pl.DataFrame({**said, "latency_ms": [700.0, 700.0]}))
        >>> traces.select(time_to_first_answer(1000).score).collect().to_series().to_list()
        [1.0, None]
    """
    if on is not None and not isinstance(on, pl.Expr):
        raise BadArgumentError("on", "an expression such as pl.col('metadata.first_token_ms')", on)
    allowed = budget("max_ms", max_ms, "zero_at_ms", zero_at_ms)
    took = pl.when(_ONE_TEXT).then(_LATENCY) if on is None else amount(on)
    found = "the first answer came after {} ms, and should come within {}"
    return held(took, allowed, found, pl.struct(first_answer_ms=took))
