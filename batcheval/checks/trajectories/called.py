"""Tool calls as the columns of which steps are made, and what is told of them without steps.

Only what some expectation of the batch asks for becomes a column, so that equal rows are many.
"""

from collections.abc import Set
from functools import cache
from itertools import pairwise, repeat
from typing import Final

import numpy as np
import polars as pl

from batcheval.checks.trajectories.steps import Step, step_of_call
from batcheval.checks.trajectories.values import LARGEST, of_call

_FIELD: Final = pl.element().struct.field
_COUNTS: Final = (_FIELD("name") != "") & _FIELD("state").ne_missing("partial")
_ORDER: Final = ("name", "succeeded", "args", "result", "duration_ms")


def call_columns(calls: pl.Series, needs: Set[str]) -> dict[str, pl.Series]:
    """The calls that count with what is needed of them; and, if needed, sums over them.

    Args:
        calls: a list of calls a row.
        needs: any of `args`, `result` and `duration_ms`; and `duration`, the sum of the last, and
            `redundant`, how many calls are the same as the one before.
    """
    kept = [_FIELD(name) for name in ("args", "result", "duration_ms") if name in needs]
    call = pl.struct(_FIELD("name"), (_FIELD("state") == "ok").alias("succeeded"), *kept)
    columns = {"calls": _of_counted(calls, call)}
    if "duration" in needs:
        columns["duration"] = _durations(calls)
    if "redundant" in needs:
        columns["redundant"] = _redundant(calls)
    return columns


def _of_counted(calls: pl.Series, value: pl.Expr) -> pl.Series:
    return calls.list.eval(pl.when(_COUNTS).then(value).drop_nulls())


def _durations(calls: pl.Series) -> pl.Series:
    """How long all calls took, null unless each tells it."""
    took = _FIELD("duration_ms")
    is_known = took.is_between(0, LARGEST).fill_null(False)  # false of NaN as well
    known = _of_counted(calls, pl.when(is_known).then(took).otherwise(float("nan")))
    total = known.list.sum().fill_nan(None)
    return total.set((known.list.len() == 0).fill_null(True), None)


def _redundant(calls: pl.Series) -> pl.Series:
    """How many calls have the name and the arguments of the call before them."""
    lists = _of_counted(calls, pl.struct(_FIELD("name"), _FIELD("args")))
    lengths = lists.list.len().fill_null(0).to_numpy()
    flat = _flat(lists).with_columns(row=np.repeat(np.arange(len(lengths)), lengths))
    before = flat.shift(1)
    alike = (flat["name"] == before["name"]) & (flat["row"] == before["row"])
    same = alike & flat["args"].eq_missing(before["args"])
    unsure = (alike & ~same & flat["args"].is_not_null() & before["args"].is_not_null()).arg_true()
    pairs = zip(flat["args"].gather(unsure), before["args"].gather(unsure), strict=True)
    same = same.scatter(unsure, [of_call(one) == of_call(other) for one, other in pairs])
    rows = flat["row"].to_numpy()[same.fill_null(False).to_numpy()]
    return pl.Series(np.bincount(rows, minlength=len(lengths)))


def steps_of_calls(lists: pl.Series) -> list[list[Step]]:
    """The steps of each row, from the lists that `call_columns` gives; equal calls are one step."""
    flat = _flat(lists)
    columns = [flat[name].to_list() if name in flat.columns else repeat(None) for name in _ORDER]
    steps = list(map(cache(step_of_call), *columns))
    ends = [0, *lists.list.len().fill_null(0).cum_sum().to_list()]
    return [steps[start:end] for start, end in pairwise(ends)]


def _flat(lists: pl.Series) -> pl.DataFrame:
    return lists.explode(empty_as_null=False, keep_nulls=False).struct.unnest()
