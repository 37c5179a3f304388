"""Checks of whether the calls are those expected, in their order or in any."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from batcheval.checks.expected_calls.measures import ANY_ORDER, EXACT, IN_ORDER
from batcheval.checks.expected_calls.verdicts import Options, verdict
from batcheval.scorer import Verdict, check

__all__ = ["tools_any_order", "tools_exact", "tools_in_order"]

Calls = str | Sequence[Any] | Mapping[str, Any] | pl.Expr | None


@check
def tools_exact(
    expected: Calls = None,
    *,
    arguments: bool = True,
    tolerance: float = 0.0,
    ignore_case: bool = False,
    ignore: Sequence[str] = (),
    extra: bool = False,
) -> Verdict:
    """The run made just the expected calls, in their order: 1.0, else 0.0.

    As Vertex AI's `trajectory_exact_match`. Calls that were still streaming in do not count.
    Arguments that are not there are `{}`; broken ones, which are no JSON, are equal to none.
    Details: `matched_calls`, `expected_calls`, `actual_calls` (counts) and the names `missing`,
    `extra`, `moved` (made, but elsewhere in the order) and `differed` (of the right tool: with the
    arguments that differ).

    Args:
        expected: the calls: names, or tables with a name and, where these count, arguments (as
            `args`, `arguments`, `input` or `function.arguments`); one that gives no arguments takes
            any. In these `{matches = "^Par"}` is a pattern that is found in a text. Or an
            expression with JSON text per row, a list, which by default is the column
            `expected_tool_calls`: a row where it is null or anything else is unscored.
        arguments: they count where they are expected; if false, only names do.
        tolerance: how far apart two numbers may be; values are compared as in `json_equal`.
        ignore_case: texts are compared in lower case.
        ignore: paths of arguments that are not compared, such as "id" or "items[*].price".
        extra: arguments, and objects in them, may have more keys than are expected.

    Raises:
        BadArgumentError: an argument is of the wrong type, or says no calls.
        BadPatternError: no engine can read a pattern.

    Example:
        >>> calls = [{"name": name, "state": "ok"} for name in ("search", "read", "search")]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:2], []]})
        >>> traces.select(tools_exact(["search", "read"]).score).to_series().to_list()
        [0.0, 1.0, 0.0]
    """
    given = Options(expected, arguments, tolerance, ignore_case, ignore, extra)
    return verdict(EXACT, given, "should make just these, in this order")


@check
def tools_in_order(
    expected: Calls = None,
    *,
    arguments: bool = True,
    tolerance: float = 0.0,
    ignore_case: bool = False,
    ignore: Sequence[str] = (),
    extra: bool = False,
) -> Verdict:
    """The run made the expected calls in their order: 1.0, else 0.0; others may lie between.

    As Vertex AI's `trajectory_in_order_match`. Details: as in `tools_exact`.

    Args:
        expected: as in `tools_exact`.
        arguments: as in `tools_exact`, as are `tolerance`, `ignore_case`, `ignore` and `extra`.
        tolerance: how far apart two numbers may be.
        ignore_case: texts are compared in lower case.
        ignore: paths of arguments that are not compared.
        extra: arguments may have more keys than are expected.

    Raises:
        BadArgumentError: an argument is of the wrong type, or says no calls.
        BadPatternError: no engine can read a pattern.

    Example:
        >>> calls = [{"name": name, "state": "ok"} for name in ("search", "read", "search")]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:2], []]})
        >>> traces.select(tools_in_order(["search", "search"]).score).to_series().to_list()
        [1.0, 0.0, 0.0]
    """
    given = Options(expected, arguments, tolerance, ignore_case, ignore, extra)
    return verdict(IN_ORDER, given, "should make these in this order")


@check
def tools_any_order(
    expected: Calls = None,
    *,
    arguments: bool = True,
    tolerance: float = 0.0,
    ignore_case: bool = False,
    ignore: Sequence[str] = (),
    extra: bool = False,
) -> Verdict:
    """The run made just the expected calls, in any order: 1.0, else 0.0.

    Both are multisets: a call that is expected twice must be made twice. (Vertex AI's
    `trajectory_any_order_match` lets others be made, as `tools_superset` does.) Details: as in
    `tools_exact`.

    Args:
        expected: as in `tools_exact`.
        arguments: as in `tools_exact`, as are `tolerance`, `ignore_case`, `ignore` and `extra`.
        tolerance: how far apart two numbers may be.
        ignore_case: texts are compared in lower case.
        ignore: paths of arguments that are not compared.
        extra: arguments may have more keys than are expected.

    Raises:
        BadArgumentError: an argument is of the wrong type, or says no calls.
        BadPatternError: no engine can read a pattern.

    Example:
        >>> calls = [{"name": name, "state": "ok"} for name in ("search", "read", "search")]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:2], []]})
        >>> traces.select(tools_any_order(["read", "search"]).score).to_series().to_list()
        [0.0, 1.0, 0.0]
    """
    given = Options(expected, arguments, tolerance, ignore_case, ignore, extra)
    return verdict(ANY_ORDER, given, "should make just these, in any order")
