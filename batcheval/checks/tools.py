"""Checks of the tools that a run called: which, how often, in what order, and how they ended."""

from collections.abc import Sequence

import polars as pl

from batcheval.checks.calls import COUNT, ERRORS, FAILED_NAMES, NAMES, TOTAL
from batcheval.checks.counts import calls, verdict_on
from batcheval.checks.operands import listing, sentence, whole
from batcheval.checks.orders import expected_names, in_order
from batcheval.scorer import Verdict, batched, check, passed

__all__ = ["called_tool", "did_not_call", "max_tool_calls"]
__all__ += ["no_tool_errors", "tool_order", "used_no_tools"]


@check
def called_tool(tool_name: str | pl.Expr, *, times: int = 1) -> Verdict:
    """The run called the tool `tool_name` at least `times` times: 1.0, else 0.0.

    After the quick check of that name in Mastra's evals. Details: `actual_count`, `actual_tools`.

    Args:
        tool_name: the exact name, in its case; or an expression with one per row, null or empty
            where a row has no expectation, which leaves it unscored.
        times: how many calls are enough, 1 or more.

    Raises:
        BlankArgumentError: `tool_name` is the empty text.
        BadArgumentError: `times` is not a whole number of at least 1, or `tool_name` no text.

    Example:
        >>> calls = [{"name": "search", "state": "ok"}, {"name": "search", "state": "error"}]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:1]]})
        >>> traces.select(called_tool("search", times=2).score).to_series().to_list()
        [1.0, 0.0]
    """
    least = whole("times", times, 1)
    return verdict_on(tool_name, lambda count: count >= least, f"at least {least}")


@check
def did_not_call(tool_name: str | pl.Expr) -> Verdict:
    """The run never called the tool `tool_name`: 1.0, else 0.0.

    After the quick check of that name in Mastra's evals. Details: `actual_count`, `actual_tools`.

    Args:
        tool_name: as in `called_tool`.

    Raises:
        BlankArgumentError: `tool_name` is the empty text.
        BadArgumentError: `tool_name` is no text.

    Example:
        >>> traces = pl.DataFrame({"tool_calls": [[{"name": "search", "state": "ok"}]]})
        >>> traces.select(did_not_call("refund").score).to_series().to_list()
        [1.0]
    """
    return verdict_on(tool_name, lambda count: count == 0, "none")


@check
def tool_order(expected_order: Sequence[str] | pl.Expr) -> Verdict:
    """The run called the tools of `expected_order` in that order: 1.0, else 0.0.

    After the quick check of that name in Mastra's evals. Details: `actual_tools`.

    Other calls may lie between; a name that stands there twice must be called twice.

    Args:
        expected_order: tool names, none of them empty; an empty list always passes. Or an
            expression with a list per row, of List(String) or as JSON text such as
            `expected_tool_calls`: a list of names, or of objects with a name. A row where it is
            null or anything else is unscored.

    Raises:
        BadArgumentError: `expected_order` is neither, or one of the names is empty or no text.

    Example:
        >>> calls = [{"name": name, "state": "ok"} for name in ("search", "read", "refund")]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[::-1]]})
        >>> traces.select(tool_order(["search", "refund"]).score).to_series().to_list()
        [1.0, 0.0]
    """
    wanted = expected_names(expected_order)
    followed = batched(in_order, NAMES, wanted)
    asked = "the run called {}, and should call {} in this order"
    reason = sentence(followed, asked, listing(NAMES), listing(wanted))
    return Verdict(followed, pl.struct(actual_tools=NAMES), reason)


@check
def max_tool_calls(max: int) -> Verdict:
    """The run made at most `max` tool calls: 1.0, else 0.0.

    After the quick check of that name in Mastra's evals. Details: `actual_count`.

    Args:
        max: 0 or more.

    Raises:
        BadArgumentError: `max` is not a whole number of at least 0.

    Example:
        >>> calls = [{"name": "search", "state": "ok"}] * 2
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:1]]})
        >>> traces.select(max_tool_calls(1).score).to_series().to_list()
        [0.0, 1.0]
    """
    most = whole("max", max, 0)
    holds = most >= COUNT
    reason = sentence(holds, f"the run made {{}}, and should make at most {most}", calls(COUNT))
    return passed(holds, pl.struct(actual_count=COUNT), reason)


@check
def used_no_tools() -> Verdict:
    """The run called no tool: 1.0, else 0.0.

    After the quick check of that name in Mastra's evals. Details: `actual_count`, `actual_tools`.

    Example:
        >>> traces = pl.DataFrame({"tool_calls": [[{"name": "search", "state": "ok"}], []]})
        >>> traces.select(used_no_tools().score).to_series().to_list()
        [0.0, 1.0]
    """
    reason = sentence(COUNT, "the run called {}, and should call no tool", listing(NAMES))
    return passed(COUNT == 0, pl.struct(actual_count=COUNT, actual_tools=NAMES), reason)


@check
def no_tool_errors() -> Verdict:
    """No tool call failed or was left unfinished: 1.0, else 0.0; 1.0 without any call.

    After the quick check of that name in Mastra's evals. Details: `error_count`, `total_calls`,
    `failed_tools`.

    A call fails in the states `error` and `pending`; `denied` and `partial` are no errors.

    Example:
        >>> calls = [{"name": "search", "state": "ok"}, {"name": "search", "state": "error"}]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:1]]})
        >>> traces.select(no_tool_errors().score).to_series().to_list()
        [0.0, 1.0]
    """
    details = pl.struct(error_count=ERRORS, total_calls=TOTAL, failed_tools=FAILED_NAMES)
    found = "{} of {} failed or did not finish, and none should"
    return passed(ERRORS == 0, details, sentence(ERRORS, found, ERRORS, calls(TOTAL)))
