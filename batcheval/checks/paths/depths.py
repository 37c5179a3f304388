"""How many steps of a kind a run took, and how deep within others they lay."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from batcheval.checks.trajectories.steps import Run, Step, UnscoredError, trajectory_of

TOOL_CALL: Final = "tool_call"  # the kind of the steps of a run that brings no trajectory

_FIELD: Final = pl.element().struct.field
_COUNTS: Final = ((_FIELD("name") != "") & _FIELD("state").ne_missing("partial")).fill_null(False)


def steps_counted(
    calls: pl.Series, trajectories: pl.Series, kind: str | None, from_depth: int
) -> pl.Series:
    """How many steps there are: those of the trajectory, else the calls that count.

    Args:
        calls: lists of tool calls.
        trajectories: JSON text, null where the calls are the steps.
        kind: the type of step; None for any.
        from_depth: how many steps they lie within, at least.

    Returns:
        Int64; null where a trajectory cannot be read.
    """
    if kind not in (None, TOOL_CALL):
        counts = pl.Series([0], dtype=pl.Int64).new_from_index(0, len(calls))
    else:
        counts = _calls(calls, from_depth)
    if trajectories.null_count() == len(trajectories):
        return counts
    texts = trajectories.to_frame("text").with_row_index("row").drop_nulls()
    own = {text: _in_text(text, kind, from_depth) for text in texts["text"].unique()}
    found = [own[text] for text in texts["text"]]
    # A trajectory without steps leaves the calls to be them: that is told by -1.
    values = [counts[row] if n == -1 else n for row, n in zip(texts["row"], found, strict=True)]
    return counts.scatter(texts["row"], pl.Series(values, dtype=pl.Int64))


def _calls(calls: pl.Series, from_depth: int) -> pl.Series:
    if not from_depth:
        return calls.list.eval(_COUNTS).list.sum().cast(pl.Int64).fill_null(0)
    within = calls.list.eval(_FIELD("parent_id").is_not_null()).list.any().fill_null(False)
    rows = within.arg_true()
    parts = calls.gather(rows).list.eval(pl.struct(_FIELD("id"), _FIELD("parent_id"), _COUNTS))
    deep = [_deep(row, from_depth) for row in parts.to_list()]
    counts = pl.Series([0], dtype=pl.Int64).new_from_index(0, len(calls))
    return counts.scatter(rows, pl.Series(deep, dtype=pl.Int64))


def _deep(calls: list[dict[str, object]], from_depth: int) -> int:
    """Ids may come again: the parent of a call is the last one before it that has the id."""
    depths: dict[object, int] = {}
    count = 0
    for call_id, parent, counts in map(dict.values, calls):
        depth = 0 if parent is None else depths.get(parent, 0) + 1
        if call_id is not None:
            depths[call_id] = depth
        count += bool(counts) and depth >= from_depth
    return count


def _in_text(text: str, kind: str | None, from_depth: int) -> int | None:
    try:
        run = trajectory_of(text, _NONE)
        return -1 if run.steps is _NONE.steps else _below(run.steps, kind, from_depth)
    except UnscoredError:
        return None


_NONE: Final = Run(())


def _below(steps: Sequence[Step], kind: str | None, from_depth: int) -> int:
    waiting, count = [(step, 0) for step in steps], 0
    while waiting:
        step, depth = waiting.pop()
        count += depth >= from_depth and kind in (None, step.type)
        waiting += [(child, depth + 1) for child in step.children()]
    return count
