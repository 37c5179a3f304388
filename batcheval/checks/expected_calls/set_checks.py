"""Checks of whether the calls are among those expected, or those among the calls."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from batcheval.checks.expected_calls.measures import SUBSET, SUPERSET
from batcheval.checks.expected_calls.verdicts import Options, verdict
from batcheval.scorer import Verdict, check

__all__ = ["tools_subset", "tools_superset"]

Calls = str | Sequence[Any] | Mapping[str, Any] | pl.Expr | None


@check
def tools_subset(
    expected: Calls = None,
    *,
    arguments: bool = True,
    tolerance: float = 0.0,
    ignore_case: bool = False,
    ignore: Sequence[str] = (),
    extra: bool = False,
) -> Verdict:
    """Every call of the run is an expected one: 1.0, else 0.0; 1.0 without any call.

    Both are multisets: a call that is expected once may be made once. As the mode "subset" of
    agentevals. Details: as in `tools_exact`.

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
        >>> traces.select(tools_subset(["read", "search"]).score).to_series().to_list()
        [0.0, 1.0, 1.0]
    """
    given = Options(expected, arguments, tolerance, ignore_case, ignore, extra)
    return verdict(SUBSET, given, "should make none but these")


@check
def tools_superset(
    expected: Calls = None,
    *,
    arguments: bool = True,
    tolerance: float = 0.0,
    ignore_case: bool = False,
    ignore: Sequence[str] = (),
    extra: bool = False,
) -> Verdict:
    """The run made every expected call, others too or not: 1.0, else 0.0.

    Both are multisets: a call that is expected twice must be made twice. As the mode "superset" of
    agentevals. Details: as in `tools_exact`.

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
        >>> traces.select(tools_superset(["search", "search"]).score).to_series().to_list()
        [1.0, 0.0, 0.0]
    """
    given = Options(expected, arguments, tolerance, ignore_case, ignore, extra)
    return verdict(SUPERSET, given, "should make all of these")
