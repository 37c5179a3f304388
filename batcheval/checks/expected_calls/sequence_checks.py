"""Checks of the sequence of calls, and of a single one."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import polars as pl

from batcheval.checks.expected_calls.measures import EDITS, LCS, SINGLE
from batcheval.checks.expected_calls.verdicts import Options, verdict
from batcheval.errors import BadArgumentError
from batcheval.scorer import Verdict, check

__all__ = ["single_tool_use", "tool_sequence_similarity"]

Calls = str | Sequence[Any] | Mapping[str, Any] | pl.Expr | None

_METHODS: Final = {"lcs": LCS, "edit": EDITS}


@check
def single_tool_use(
    expected: Calls = None,
    *,
    arguments: bool = True,
    tolerance: float = 0.0,
    ignore_case: bool = False,
    ignore: Sequence[str] = (),
    extra: bool = False,
) -> Verdict:
    """The run made the one expected call, whatever else it did: 1.0, else 0.0.

    As Vertex AI's `trajectory_single_tool_use`, with arguments if they are given. Details: as in
    `tools_exact`.

    Args:
        expected: as in `tools_exact`, but just one call: a row
            that expects another number of them is unscored.
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
        >>> traces.select(single_tool_use("read").score).to_series().to_list()
        [1.0, 1.0, 0.0]
    """
    given = Options(expected, arguments, tolerance, ignore_case, ignore, extra)
    return verdict(SINGLE, given, "should make this one", single=True)


@check
def tool_sequence_similarity(
    expected: Calls = None,
    *,
    method: Literal["lcs", "edit"] = "lcs",
    arguments: bool = True,
    tolerance: float = 0.0,
    ignore_case: bool = False,
    ignore: Sequence[str] = (),
    extra: bool = False,
    threshold: float | None = None,
) -> Verdict:
    """How alike the run's calls and the expected ones are as sequences, 0.0 to 1.0.

    By "lcs" twice the longest sequence of calls that both have in common, in order, by the length
    of both (Hirschberg 1975); by "edit" 1 less the calls to insert, delete or replace by the length
    of the longer (Levenshtein 1966). 1.0 where both are empty. Details: as in `tools_exact`.

    Args:
        expected: as in `tools_exact`.
        arguments: as in `tools_exact`, as are `tolerance`, `ignore_case`, `ignore` and `extra`.
        tolerance: how far apart two numbers may be.
        ignore_case: texts are compared in lower case.
        ignore: paths of arguments that are not compared.
        extra: arguments may have more keys than are expected.
        method: "lcs" or "edit".
        threshold: in 0..1; turns the score into 1.0 where it is reached, else 0.0.

    Raises:
        BadArgumentError: an argument is of the wrong type, or says no calls.
        BadPatternError: no engine can read a pattern.

    Example:
        >>> calls = [{"name": name, "state": "ok"} for name in ("search", "read", "search")]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:2], []]})
        >>> traces.select(tool_sequence_similarity(["search", "read"]).score).to_series().to_list()
        [0.8, 1.0, 0.0]
    """
    given = Options(expected, arguments, tolerance, ignore_case, ignore, extra)
    if method not in _METHODS:
        raise BadArgumentError("method", "'lcs' or 'edit'", method)
    return verdict(_METHODS[method], given, "should make these in this order", threshold)
