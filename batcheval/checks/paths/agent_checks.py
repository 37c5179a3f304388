"""Checks of the agents within a run: which there were, and how often one handed over."""

from collections.abc import Sequence
from typing import Literal

import polars as pl

from batcheval.checks.operands import either, listing, sentence, whole
from batcheval.checks.paths.agents import AGENTS, CHANGES, handing_over
from batcheval.checks.paths.amounts import amounts
from batcheval.checks.texts.limits import holds
from batcheval.checks.trajectories.rules import tool_names
from batcheval.errors import BadArgumentError
from batcheval.scorer import Verdict, check, passed

__all__ = ["handoffs", "sub_agents"]


@check
def sub_agents(
    allowed: Sequence[str] | None = None,
    *,
    min: int | None = None,
    max: int | None = None,
    max_calls: int | None = None,
) -> Verdict:
    """The run used `min` to `max` sub-agents, and none but those allowed: 1.0, else 0.0.

    Sub-agents are told by the `agent` of calls, which is null for the main one. Details: `count`
    of different agents, `agents`, their names, `calls` that they made, `unexpected` names.

    Args:
        allowed: the names that may occur; None for any.
        min: the fewest, 0 or more; None for no such limit, as for the next two.
        max: the most; 0 for none at all.
        max_calls: the most calls by sub-agents, together.

    Raises:
        BadArgumentError: an argument is of another kind, or nothing is asked for.

    Example:
        >>> made = {"name": "read", "state": "ok"}
        >>> calls = [{**made, "agent": None}, {**made, "agent": "researcher"}]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:1]]})
        >>> traces.select(sub_agents(["researcher"], min=1).score).to_series().to_list()
        [1.0, 0.0]
    """
    names = AGENTS.list.unique(maintain_order=True)
    count, made = names.list.len().cast(pl.Int64), AGENTS.list.len().cast(pl.Int64)
    asked, right = [], pl.lit(True)
    if allowed is not None:
        known = pl.lit(tool_names("allowed", allowed), dtype=pl.List(pl.String))
        other = names.list.set_difference(known)
        asked.append("none but those allowed")
        right = other.list.len() == 0
    else:
        other = pl.lit([], dtype=pl.List(pl.String))
    if min is not None or max is not None or not (asked or max_calls is not None):
        asked.append(f"{amounts(min, max)} of them")
        right = right & holds(count, min, max)
    if max_calls is not None:
        asked.append(f"at most {whole('max_calls', max_calls, 0)} calls by them")
        right = right & (made <= max_calls)
    found = f"{{}} made {{}} calls as sub-agents, and there should be {' and '.join(asked)}"
    reason = sentence(right, found, listing(names), made)
    details = pl.struct(count=count, agents=names, calls=made, unexpected=other)
    return passed(right, details, reason)


@check
def handoffs(
    *,
    min: int | None = None,
    max: int | None = None,
    by: Literal["calls", "agents"] = "calls",
    tools: Sequence[str] | None = None,
) -> Verdict:
    """The run was handed `min` to `max` times from one agent to another: 1.0, else 0.0.

    Details: `count`, and `handoffs`, the names of the calls by which.

    Args:
        min: the fewest, 0 or more; None for no such limit, as for `max`.
        max: the most.
        by: what counts as a handoff: `calls` of a tool whose name says so; or `agents`, each
            change of the `agent` from one call to the next.
        tools: the names of such tools. Without: all that begin with `transfer_to_`,
            `transfer_back_to_`, `handoff`, `hand_off` or `delegate`, in any case.

    Raises:
        BadArgumentError: an argument is of another kind, neither limit is given, or they cross.

    Example:
        >>> calls = [{"name": name, "state": "ok"} for name in ("search", "transfer_to_billing")]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:1]]})
        >>> traces.select(handoffs(max=0).score).to_series().to_list()
        [0.0, 1.0]
    """
    asked = amounts(min, max)
    if by not in ("calls", "agents"):
        raise BadArgumentError("by", "'calls' or 'agents'", by)
    found = handing_over(None if tools is None else tool_names("tools", tools))
    count = CHANGES if by == "agents" else found.list.len().cast(pl.Int64)
    times = either(count == 1, "time", "times")
    told = f"the run was handed over {{}} {{}}, and should be {asked} times"
    details = pl.struct(count=count, handoffs=found)
    return passed(holds(count, min, max), details, sentence(count, told, count, times))
