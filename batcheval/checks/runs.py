"""Checks of a whole run: its tool calls and its trajectory against what was expected."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import polars as pl

from batcheval.checks.trajectories.arguments import accuracy_asked, all_asked, options
from batcheval.checks.trajectories.reports import accuracy_verdict, trajectory_verdict
from batcheval.checks.trajectories.rules import weights as weighed
from batcheval.checks.trajectories.tools_met import tool_call_accuracy
from batcheval.scorer import Verdict, check

__all__ = ["tool_call_accuracy", "trajectory", "trajectory_accuracy"]


@check
def trajectory_accuracy(
    expected_trajectory: Sequence[Any] | Mapping[str, Any] | pl.Expr | None = None,
    *,
    ordering: Literal["relaxed", "strict", "unordered"] = "relaxed",
    allow_repeated_steps: bool = True,
) -> Verdict:
    """The share of the expected steps that the run took, from 0.0 to 1.0, in two decimals.

    After the code scorer of that name in Mastra's evals. Details: `matched_steps`,
    `expected_steps`, `actual_steps` (counts) and the names `missing`, `extra` (not expected
    anywhere), `out_of_order` (expected, but elsewhere) and `repeated` (more often than expected).

    A run's steps are those of its `trajectory`, else its tool calls: of type `tool_call`, with
    `tool_args`, `tool_result` and `success` (ended well). A step is met by one of its name and,
    where it says so, type; then by equal values of what else it gives of `tool_args`,
    `tool_result`, `success`, or whatever its type has. Objects are equal in any order of keys.

    Args:
        expected_trajectory: steps, each a name or a table with `name`, `step_type` and so on (in
            snake case or camel case), or a table with such `steps`. Or an expression with JSON
            text per row, which by default is the column `expected_trajectory`: the steps, or an
            object with `steps` and, if it likes, an `ordering` and `allow_repeated_steps` of its
            own. A row is unscored where there are no expected steps, or no readable ones. No
            steps, `[]`, are met by no step alone.
        ordering: `relaxed` takes the steps in order, with others between; `strict` place by
            place, and each step too many costs half of an expected one; `unordered` anywhere.
        allow_repeated_steps: if false, each name that recurs more often than expected costs 0.1.

    Raises:
        BadArgumentError: an argument is of the wrong type, or a step has an unknown key.

    Example:
        >>> from batcheval.schema import canonical
        >>> calls = [{"name": name, "state": "ok"} for name in ("search", "read")]
        >>> traces = canonical(pl.DataFrame({"tool_calls": [calls, calls[1:]]}))
        >>> traces.select(trajectory_accuracy(["search", "read"]).score).collect().to_series()[1]
        0.5
    """
    given = options({"ordering": ordering, "allow_repeated_steps": allow_repeated_steps})
    return accuracy_verdict(accuracy_asked(expected_trajectory, given))


@check
def trajectory(
    steps: Sequence[Any] | pl.Expr | None = None,
    *,
    ordering: Literal["relaxed", "strict", "unordered"] = "relaxed",
    allow_repeated_steps: bool = True,
    max_steps: int | None = None,
    max_total_tokens: int | None = None,
    max_total_duration_ms: float | None = None,
    no_redundant_calls: bool | None = None,
    blacklisted_tools: Sequence[str] | None = None,
    blacklisted_sequences: Sequence[Sequence[str]] | None = None,
    max_retries_per_tool: int = 2,
    weights: Mapping[str, float] | None = None,
) -> Verdict:
    """How well the whole run went, from 0.0 to 1.0, in two decimals: steps, limits, retries.

    After the code scorer of that name in Mastra's evals. Details: the scores `accuracy`,
    `efficiency`, `tool_failures`, `blacklist` and `nested` (null where not asked for), the names
    `missing`, `extra`, `out_of_order` and `repeated` as in `trajectory_accuracy`, and
    `blacklisted` and `retried`.

    The score is the mean, by `weights`, of accuracy (0.4, see `trajectory_accuracy`), efficiency
    (0.3), tool failures (0.2) and blacklist (0.1), of those that are asked for; tool failures
    only where a tool was called again after it failed. Anything blacklisted scores 0.0. Where
    expected steps have `children`, an expectation of the same form, the mean over these is three
    tenths of the score. With nothing asked for only tool failures are judged; with nothing to
    judge, or weights of 0 for all that there is, the score is 1.0, as in the original.

    Args:
        steps: as `expected_trajectory` in `trajectory_accuracy`. A row's `expected_trajectory`,
            or an expression given here instead, may have all fields below but `weights` as
            well: they replace the arguments, field by field; null leaves them. Where the
            expression is null or the text cannot be read, a row is unscored.
        ordering: as in `trajectory_accuracy`.
        allow_repeated_steps: likewise.
        max_steps: how many steps are enough; the same for efficiency as the two that follow: 1.0
            up to the limit, 0.0 from twice that on.
        max_total_tokens: of all model generations, at any depth; without any of these, or with
            one that lacks its tokens, a row is unscored.
        max_total_duration_ms: of the trajectory as a whole, else of its steps together; a row
            whose durations are not all known is unscored.
        no_redundant_calls: each call that is the same as the one before costs 0.2. Any of the
            limits switches this on, false switches it off.
        blacklisted_tools: names of steps that must not occur.
        blacklisted_sequences: lists of names that must not occur one right after the other.
        max_retries_per_tool: each further call of a tool that has just failed costs 0.2.
        weights: any of `accuracy`, `efficiency`, `tool_failures`, `blacklist`; negative ones are 0.

    Raises:
        BadArgumentError: an argument is of the wrong type, or a step has an unknown key.

    Example:
        >>> from batcheval.schema import canonical
        >>> calls = [{"name": name, "state": "ok"} for name in ("search", "read", "refund")]
        >>> traces = canonical(pl.DataFrame({"tool_calls": [calls, calls[:2]]}))
        >>> careful = trajectory(["search", "read"], max_steps=2, blacklisted_tools=["refund"])
        >>> traces.select(careful.score).collect().to_series().to_list()
        [0.0, 1.0]
    """
    given: dict[str, object] = {
        "ordering": ordering,
        "allow_repeated_steps": allow_repeated_steps,
        "max_retries_per_tool": max_retries_per_tool,
    }
    optional = {
        "max_steps": max_steps,
        "max_total_tokens": max_total_tokens,
        "max_total_duration_ms": max_total_duration_ms,
        "no_redundant_calls": no_redundant_calls,
        "blacklisted_tools": blacklisted_tools,
        "blacklisted_sequences": blacklisted_sequences,
    }
    given |= {key: value for key, value in optional.items() if value is not None}
    shares = weighed({} if weights is None else weights)
    return trajectory_verdict(all_asked(steps, options(given)), shares)
