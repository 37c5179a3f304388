"""Checks of which tools a run called, and how often, by their names."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from batcheval.checks.called.flat import Flat, Mask, coded, ordinals
from batcheval.checks.called.found import at_most, found
from batcheval.checks.calls import NAMES
from batcheval.checks.operands import listing, sentence, whole
from batcheval.checks.trajectories.rules import tool_names
from batcheval.errors import BadArgumentError, quoted
from batcheval.scorer import Verdict, check, passed

__all__ = ["called_together", "max_calls_per_tool", "only_tools"]


@check
def only_tools(tool_names: Sequence[str]) -> Verdict:
    """The run called no tool but these: 1.0, else 0.0; 1.0 without any call.

    Details: `other_count`, the calls of other tools; `tools`, their names.

    Args:
        tool_names: exact names, in their case; an empty list allows none.

    Raises:
        BadArgumentError: `tool_names` is no list of names, or one of them is empty.

    Example:
        >>> calls = [{"name": "search", "state": "ok"}, {"name": "refund", "state": "ok"}]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:1]]})
        >>> traces.select(only_tools(["search", "read"]).score).to_series().to_list()
        [0.0, 1.0]
    """
    names = _names("tool_names", tool_names)

    def others(calls: Flat) -> Mask:
        return (~calls.names.is_in(names)).fill_null(True).to_numpy()

    allowed = _shown(names) if names else "none at all"
    told = f"the run made {{}} of other tools, and should call only {allowed}"
    return at_most(found(others), 0, told, "other_count")


@check
def max_calls_per_tool(limits: int | Mapping[str, int]) -> Verdict:
    """The run called no tool more often than it may: 1.0, else 0.0.

    Details: `beyond`, the calls that are too many; `tools`, their names.

    Args:
        limits: how often each tool may be called, 0 or more; or a table of tools and their limits,
            where any other tool may be called at will.

    Raises:
        BadArgumentError: `limits` is neither.

    Example:
        >>> calls = [{"name": name, "state": "ok"} for name in ("search", "search", "read")]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[1:]]})
        >>> traces.select(max_calls_per_tool(1).score).to_series().to_list()
        [0.0, 1.0]
        >>> traces.select(max_calls_per_tool({"read": 0, "search": 2}).score).to_series().to_list()
        [0.0, 0.0]
    """
    if not isinstance(limits, Mapping):
        most = whole("limits", limits, 0)
        told = f"the run made {{}} beyond the limit, which is {most} for each tool"
        return at_most(found(lambda calls: _before(calls) >= most), 0, told, "beyond")
    names = _names("limits", list(limits))
    bounds = np.array([whole("limits", limits[name], 0) for name in names], np.int64)

    def beyond(calls: Flat) -> Mask:
        codes = calls.codes(names)
        many = ordinals(calls.rows * (len(names) + 1) + codes)
        return (codes >= 0) & (many >= np.append(bounds, 0)[codes])

    told = f"the run made {{}} beyond the limits, which are for {_shown(names)}"
    return at_most(found(beyond), 0, told, "beyond")


@check
def called_together(tool_names: Sequence[str]) -> Verdict:
    """The run called all of these tools or none of them: 1.0, else 0.0.

    Details: `called`, those of them that it called; `missing`, the others.

    Args:
        tool_names: two names or more, in their case.

    Raises:
        BadArgumentError: `tool_names` is no list of two names or more.

    Example:
        >>> calls = [{"name": "lock", "state": "ok"}, {"name": "unlock", "state": "ok"}]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:1], []]})
        >>> traces.select(called_together(["lock", "unlock"]).score).to_series().to_list()
        [1.0, 0.0, 1.0]
    """
    names = list(dict.fromkeys(_names("tool_names", tool_names)))
    if len(names) < 2:
        raise BadArgumentError("tool_names", "a list of two names or more", tool_names)
    there = [NAMES.list.contains(name) for name in names]
    called = _those(names, there)
    missing = _those(names, [~one for one in there])
    told = "of the tools that go together the run called {}, and should call all or none: {}"
    holds = pl.all_horizontal(there) | ~pl.any_horizontal(there)
    reason = sentence(holds, told, listing(called), pl.lit(_shown(names)))
    return passed(holds, pl.struct(called=called, missing=missing), reason)


def _names(name: str, value: object) -> list[str]:
    return tool_names(name, value)


def _shown(names: Sequence[str]) -> str:
    """Names in a reason that is a template."""
    told = quoted(names)
    cut = told if len(told) <= 80 else told[:79] + "…"
    return cut.replace("{", "{{").replace("}", "}}")


def _those(names: Sequence[str], masks: Sequence[pl.Expr]) -> pl.Expr:
    pairs = zip(names, masks, strict=True)
    lists: list[Any] = [
        pl.when(mask)
        .then(pl.lit([name], pl.List(pl.String)))
        .otherwise(pl.lit([], pl.List(pl.String)))
        for name, mask in pairs
    ]
    return pl.concat_list(lists)


def _before(calls: Flat) -> np.ndarray:
    """For each call how many of the same tool its run made before."""
    return ordinals(coded(pl.Series(calls.rows), calls.names))
