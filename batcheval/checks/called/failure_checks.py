"""Checks of how the calls of a run went: failures, repeats, and what was left open."""

import polars as pl

from batcheval.checks.called.chosen import chosen_tool
from batcheval.checks.called.flat import Flat, Mask, flat
from batcheval.checks.called.found import at_most, found
from batcheval.checks.called.repeats import failed, repeated, retried
from batcheval.checks.counts import calls
from batcheval.checks.operands import flag, sentence, share, whole
from batcheval.schema import TOOL_CALLS
from batcheval.scorer import Verdict, batched, check, passed

__all__ = ["tool_error_rate", "tool_loops", "tool_retries", "unanswered_calls"]


@check
def tool_error_rate(*, max: float | None = None, tool_name: str | None = None) -> Verdict:
    """The share of tool calls that did not fail; 1.0 without any call.

    A call fails in the states `error` and `pending`, as in `no_tool_errors`; those that were still
    streaming in do not count, those without a name do. Details: `error_count`, `total_calls`;
    `tools`, the names of those that failed.

    Args:
        max: in 0..1; turns the score into 1.0 where the rate of errors is at most this, else 0.0.
        tool_name: the exact name of the one tool to look at; None for all.

    Raises:
        BadArgumentError: an argument is of the wrong type or out of its range.

    Example:
        >>> calls = [{"name": "search", "state": state} for state in ("ok", "error")]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:1], []]})
        >>> traces.select(tool_error_rate().score).to_series().to_list()
        [0.5, 1.0, 1.0]
        >>> traces.select(tool_error_rate(max=0.2).score).to_series().to_list()
        [0.0, 1.0, 1.0]
    """
    most = None if max is None else share("max", max)
    chosen = chosen_tool(tool_name)
    errors = found(lambda all: failed(all) & chosen(all), "state", unnamed=True)

    def counted(lists: pl.Series) -> object:
        whole = flat(lists, unnamed=True)
        return whole.counts(chosen(whole))

    total = batched(counted, TOOL_CALLS).cast(pl.Int64)
    rate = pl.when(total > 0).then(errors.count / total).otherwise(0.0)
    details = pl.struct(error_count=errors.count, total_calls=total, tools=errors.names)
    asked = "none should" if most is None else f"a share of at most {most} should"
    reason = sentence(total, f"{{}} of {{}} failed, and {asked}", errors.count, calls(total))
    if most is None:
        return Verdict(1 - rate, details, reason)
    return passed(rate <= most, details, reason)


@check
def tool_retries(*, max: int = 0, tool_name: str | None = None) -> Verdict:
    """The run retried failed calls at most `max` times: 1.0, else 0.0.

    A retry is a call of the tool whose call, in the state `error` or `pending`, came just before.
    Details: `retries`; `tools`, the name of the tool of each.

    Args:
        max: 0 or more.
        tool_name: the exact name of the one tool to look at; None for all together.

    Raises:
        BadArgumentError: an argument is of the wrong type or out of its range.

    Example:
        >>> states = ("error", "error", "ok")
        >>> calls = [{"name": "search", "state": state} for state in states]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[1:]]})
        >>> traces.select(tool_retries(max=1).score).to_series().to_list()
        [0.0, 1.0]
    """
    most, chosen = whole("max", max, 0), chosen_tool(tool_name)
    again = found(lambda all: retried(all) & chosen(all), "state")
    return at_most(again, most, f"the run retried with {{}}, {_limit(most)}", "retries")


@check
def tool_loops(*, max: int = 1, in_a_row: bool = False, tool_name: str | None = None) -> Verdict:
    """The run made no call more than `max` times with the same arguments: 1.0, else 0.0.

    Arguments are the same as in `json_equal`, whatever their spelling; those that are no JSON are
    only if they are spelled alike, and none are `{}`. Details: `repeats`, the calls that are too
    many; `tools`, their names.

    Args:
        max: how often the same call may be made, 1 or more.
        in_a_row: only calls that follow each other at once count as repeats.
        tool_name: the exact name of the one tool to look at; None for all.

    Raises:
        BadArgumentError: an argument is of the wrong type or out of its range.

    Example:
        >>> calls = [
        ...     {"name": "search", "args": args, "state": "ok"}
        ...     for args in ('{"q": 1, "n": 2}', '{"n": 2, "q": 1}', '{"q": 2}')
        ... ]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[1:]]})
        >>> traces.select(tool_loops().score).to_series().to_list()
        [0.0, 1.0]
    """
    most, chosen, near = whole("max", max, 1), chosen_tool(tool_name), flag("in_a_row", in_a_row)

    def beyond(all: Flat) -> Mask:
        return (repeated(all, near) >= most) & chosen(all)

    asked = f"should make the same call at most {most} times{' in a row' if near else ''}"
    again = found(beyond, "args")
    return at_most(
        again, 0, f"the run made {{}} again with the same arguments, and {asked}", "repeats"
    )


@check
def unanswered_calls(*, max: int = 0, tool_name: str | None = None) -> Verdict:
    """At most `max` calls were left without an answer: 1.0, else 0.0.

    That is the state `pending`: neither a result nor an error came. Details: `unanswered`;
    `tools`, their names.

    Args:
        max: 0 or more.
        tool_name: the exact name of the one tool to look at; None for all.

    Raises:
        BadArgumentError: an argument is of the wrong type or out of its range.

    Example:
        >>> calls = [{"name": "search", "state": state} for state in ("ok", "pending")]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:1]]})
        >>> traces.select(unanswered_calls().score).to_series().to_list()
        [0.0, 1.0]
    """
    most, chosen = whole("max", max, 0), chosen_tool(tool_name)

    def pending(all: Flat) -> Mask:
        return (all.calls["state"] == "pending").fill_null(False).to_numpy() & chosen(all)

    told = f"the run left {{}} unanswered, {_limit(most)}"
    return at_most(found(pending, "state", unnamed=True), most, told, "unanswered")


def _limit(most: int) -> str:
    return "and should not" if not most else f"and should at most {most} times"
