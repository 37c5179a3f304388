"""A check of the steps of a run, by kind and by depth."""

from functools import partial

import polars as pl

from batcheval.checks.operands import either, needle, sentence, whole
from batcheval.checks.paths.amounts import amounts
from batcheval.checks.paths.depths import steps_counted
from batcheval.checks.texts.limits import holds
from batcheval.schema import TOOL_CALLS
from batcheval.scorer import Verdict, check, passed

__all__ = ["step_count"]


@check
def step_count(
    *, min: int | None = None, max: int | None = None, kind: str | None = None, from_depth: int = 0
) -> Verdict:
    """The run took `min` to `max` steps, of a kind and a depth: 1.0, else 0.0.

    The steps are those of the run's `trajectory`, with all below them; where it brings none, its
    tool calls, of kind `tool_call`. Details: `count`.

    Args:
        min: the fewest, 0 or more; None for no such limit, as for `max`.
        max: the most.
        kind: the `step_type`, such as `tool_call`, `mcp_tool_call`, `model_generation` or
            `agent_run`; None for any.
        from_depth: counts the steps that lie within so many others at least: 0 for all, 1 for
            those that a step, or the call of a `parent_id`, has below it.

    A row whose trajectory cannot be read is unscored.

    Raises:
        BadArgumentError: a limit or a depth is no whole number of at least 0, neither limit is
            given, they cross, or `kind` is no text.
        BlankArgumentError: `kind` is empty.

    Example:
        >>> from batcheval.schema import canonical
        >>> calls = [{"name": "task", "id": "1"}, {"name": "read", "parent_id": "1"}]
        >>> traces = canonical(pl.DataFrame({"tool_calls": [calls, calls[:1]]}))
        >>> traces.select(step_count(max=0, from_depth=1).score).collect().to_series().to_list()
        [0.0, 1.0]
    """
    if kind is not None:
        needle("kind", kind)
    asked = amounts(min, max)
    depth = whole("from_depth", from_depth, 0)
    run = partial(_counted, kind=kind, from_depth=depth)
    rows = pl.struct(TOOL_CALLS, pl.col("trajectory"))
    count = rows.map_batches(run, return_dtype=pl.Int64, is_elementwise=True)
    of = f" of kind '{_plain(kind)}'" if kind else ""
    found = f"the run took {{}} {{}}{of}{f' at depth {depth} or deeper' if depth else ''}"
    reason = sentence(
        count, f"{found}, and should take {asked}", count, either(count == 1, "step", "steps")
    )
    return passed(holds(count, min, max), pl.struct(count=count), reason)


def _counted(rows: pl.Series, kind: str | None, from_depth: int) -> pl.Series:
    calls, trajectories = rows.struct.unnest().get_columns()
    return steps_counted(calls, trajectories, kind, from_depth)


def _plain(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
