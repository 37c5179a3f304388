"""Checks of the arguments that a tool was called with, and of what came back."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import polars as pl

from batcheval.checks.called.asked import asked
from batcheval.checks.called.judged import Tool, chosen_calls
from batcheval.checks.called.judged_verdicts import verdict_on
from batcheval.checks.called.rules import rules
from batcheval.checks.called.values import arguments, result
from batcheval.checks.structured.documents import Parsed, parse
from batcheval.scorer import Verdict, check

__all__ = ["tool_args", "tool_result"]

Calls = Literal["any", "all", "first", "last"] | int


@check
def tool_args(
    tool_name: str | pl.Expr,
    *,
    equals: object = None,
    contains: object = None,
    matches: str | None = None,
    schema: Mapping[str, Any] | str | None = None,
    calls: Calls = "any",
    tolerance: float = 0.0,
    ignore_case: bool = False,
    ignore: Sequence[str] = (),
) -> Verdict:
    """The run called the tool with arguments as asked for: 1.0, else 0.0.

    0.0 if it never called it. Each thing that is asked must be true of the same call. Arguments
    that are not there are `{}`; broken ones, which are no JSON, meet nothing. Details:
    `actual_count`, the calls of the tool; `met`, how many of those looked at are as asked;
    `problems`, for each of the others what is wrong: the fields that differ, three at most.

    Args:
        tool_name: as in `called_tool`.
        equals: the arguments, a table or JSON text, compared as in `json_equal`. A table whose one
            key is `matches` is a pattern that is found in a text: `{city = {matches = "^Par"}}`.
        contains: the same, and other keys may be there; or a text that one of their texts has.
        matches: a regular expression that is found in one of their texts; keys are none.
        schema: a JSON Schema that they fit, see `json_schema`.
        calls: which calls of the tool: "any" of them, "all", the "first", the "last", or a number,
            1 for the first.
        tolerance: how far apart two numbers may be.
        ignore_case: texts that are compared, or contained, are so in lower case.
        ignore: paths of what is not compared, such as "id" or "items[*].price".

    `equals` and `contains` may be expressions with JSON text per row: one where it is null or no
    JSON is unscored.

    Raises:
        MissingArgumentError: nothing is asked of the arguments.
        BlankArgumentError: `tool_name` is the empty text.
        BadArgumentError: an argument is of the wrong type or makes no sense.
        BadPatternError: no engine can read a pattern.

    Example:
        >>> calls = [{"name": "weather", "args": '{"city": "Paris", "days": 3}', "state": "ok"}]
        >>> traces = pl.DataFrame({"tool_calls": [calls, []]})
        >>> traces.select(tool_args("weather", contains={"days": 3}).score).to_series().to_list()
        [1.0, 0.0]
        >>> begins = tool_args("weather", equals={"city": {"matches": "^Par"}, "days": 3})
        >>> traces.select(begins.score).to_series().to_list()
        [1.0, 0.0]
    """
    given = {"equals": equals, "contains": contains, "matches": matches, "schema": schema}
    by = rules(tolerance, ignore_case, ignore)
    wanted = asked("tool_args", given, by, parse, is_json=True)
    which = chosen_calls(calls)
    name = tool_name if isinstance(tool_name, str) else None
    tool = Tool(name, "args", which, _read_arguments, parse, wanted)
    return verdict_on(tool, tool_name, "arguments")


@check
def tool_result(
    tool_name: str | pl.Expr,
    *,
    equals: object = None,
    contains: object = None,
    matches: str | None = None,
    schema: Mapping[str, Any] | str | None = None,
    calls: Calls = "any",
    tolerance: float = 0.0,
    ignore_case: bool = False,
    ignore: Sequence[str] = (),
) -> Verdict:
    """The tool gave a result as asked for: 1.0, else 0.0.

    0.0 if the run never called it. A result that is no JSON is a text; a call without one, as one
    that failed, meets nothing. Details: as in `tool_args`.

    Args:
        tool_name: as in `called_tool`.
        equals: the result; a text is JSON if it can be read so, else that text.
        contains: a table of what stands in the result, among other keys; or a text that one of its
            texts has.
        matches: a regular expression that is found in one of its texts; keys are none.
        schema: a JSON Schema that it fits, see `json_schema`.
        calls: as in `tool_args`.
        tolerance: as in `tool_args`.
        ignore_case: as in `tool_args`.
        ignore: as in `tool_args`.

    `equals` and `contains` may be expressions with a text per row: one where it is null is
    unscored.

    Raises:
        MissingArgumentError: nothing is asked of the result.
        BlankArgumentError: `tool_name` is the empty text.
        BadArgumentError: an argument is of the wrong type or makes no sense.
        BadPatternError: no engine can read a pattern.

    Example:
        >>> calls = [{"name": "track", "result": '{"status": "shipped"}', "state": "ok"}]
        >>> traces = pl.DataFrame({"tool_calls": [calls, []]})
        >>> traces.select(tool_result("track", contains="ship").score).to_series().to_list()
        [1.0, 0.0]
    """
    given = {"equals": equals, "contains": contains, "matches": matches, "schema": schema}
    by = rules(tolerance, ignore_case, ignore)
    wanted = asked("tool_result", given, by, result, is_json=False)
    which = chosen_calls(calls)
    name = tool_name if isinstance(tool_name, str) else None
    tool = Tool(name, "result", which, result, result, wanted)
    return verdict_on(tool, tool_name, "a result")


def _read_arguments(text: str | None) -> Parsed:
    found = arguments(text)
    return found if found.error is None else Parsed(None, f"no JSON: {found.error}")
