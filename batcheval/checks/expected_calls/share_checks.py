"""Checks of the share of calls that were expected, and of expected calls that were made."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from batcheval.checks.expected_calls.measures import F1, PRECISION, RECALL
from batcheval.checks.expected_calls.verdicts import Options, verdict
from batcheval.scorer import Verdict, check

__all__ = ["tool_f1", "tool_precision", "tool_recall"]

Calls = str | Sequence[Any] | Mapping[str, Any] | pl.Expr | None


@check
def tool_precision(
    expected: Calls = None,
    *,
    arguments: bool = True,
    tolerance: float = 0.0,
    ignore_case: bool = False,
    ignore: Sequence[str] = (),
    extra: bool = False,
    threshold: float | None = None,
) -> Verdict:
    """The share of the run's calls that are expected ones, 0.0 to 1.0.

    Calls are matched with expected ones, each with one of its own, as many as can be (Kuhn 1955),
    so that neither order nor repeats change what is right. A run without calls scores 0.0, or 1.0
    where none is expected. Details: as in `tools_exact`.

    Args:
        expected: as in `tools_exact`.
        arguments: as in `tools_exact`, as are `tolerance`, `ignore_case`, `ignore` and `extra`.
        tolerance: how far apart two numbers may be.
        ignore_case: texts are compared in lower case.
        ignore: paths of arguments that are not compared.
        extra: arguments may have more keys than are expected.
        threshold: in 0..1; turns the score into 1.0 where it is reached, else 0.0.

    Raises:
        BadArgumentError: an argument is of the wrong type, or says no calls.
        BadPatternError: no engine can read a pattern.

    Example:
        >>> calls = [{"name": name, "state": "ok"} for name in ("search", "read", "search")]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:2], []]})
        >>> traces.select(tool_precision(["search"]).score.round(3)).to_series().to_list()
        [0.333, 0.5, 0.0]
    """
    given = Options(expected, arguments, tolerance, ignore_case, ignore, extra)
    return verdict(PRECISION, given, "all that it makes should be expected", threshold)


@check
def tool_recall(
    expected: Calls = None,
    *,
    arguments: bool = True,
    tolerance: float = 0.0,
    ignore_case: bool = False,
    ignore: Sequence[str] = (),
    extra: bool = False,
    threshold: float | None = None,
) -> Verdict:
    """The share of the expected calls that the run made, 0.0 to 1.0; 1.0 where none is expected.

    Matched as in `tool_precision`. Details: as in `tools_exact`.

    Args:
        expected: as in `tools_exact`.
        arguments: as in `tools_exact`, as are `tolerance`, `ignore_case`, `ignore` and `extra`.
        tolerance: how far apart two numbers may be.
        ignore_case: texts are compared in lower case.
        ignore: paths of arguments that are not compared.
        extra: arguments may have more keys than are expected.
        threshold: in 0..1; turns the score into 1.0 where it is reached, else 0.0.

    Raises:
        BadArgumentError: an argument is of the wrong type, or says no calls.
        BadPatternError: no engine can read a pattern.

    Example:
        >>> calls = [{"name": name, "state": "ok"} for name in ("search", "read", "search")]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:2], []]})
        >>> traces.select(tool_recall(["search", "search"]).score).to_series().to_list()
        [1.0, 0.5, 0.0]
    """
    given = Options(expected, arguments, tolerance, ignore_case, ignore, extra)
    return verdict(RECALL, given, "should make all of these", threshold)


@check
def tool_f1(
    expected: Calls = None,
    *,
    arguments: bool = True,
    tolerance: float = 0.0,
    ignore_case: bool = False,
    ignore: Sequence[str] = (),
    extra: bool = False,
    threshold: float | None = None,
) -> Verdict:
    """The harmonic mean of `tool_precision` and `tool_recall`, 0.0 to 1.0.

    Twice the calls that are matched by all that were made and expected; 1.0 where there are
    neither. Details: as in `tools_exact`.

    Args:
        expected: as in `tools_exact`.
        arguments: as in `tools_exact`, as are `tolerance`, `ignore_case`, `ignore` and `extra`.
        tolerance: how far apart two numbers may be.
        ignore_case: texts are compared in lower case.
        ignore: paths of arguments that are not compared.
        extra: arguments may have more keys than are expected.
        threshold: in 0..1; turns the score into 1.0 where it is reached, else 0.0.

    Raises:
        BadArgumentError: an argument is of the wrong type, or says no calls.
        BadPatternError: no engine can read a pattern.

    Example:
        >>> calls = [{"name": name, "state": "ok"} for name in ("search", "read", "search")]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:2], []]})
        >>> traces.select(tool_f1(["search", "read"]).score).to_series().to_list()
        [0.8, 1.0, 0.0]
    """
    given = Options(expected, arguments, tolerance, ignore_case, ignore, extra)
    return verdict(F1, given, "should make just these", threshold)
