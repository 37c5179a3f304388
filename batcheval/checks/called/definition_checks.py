"""Checks of tool calls against the definitions of the tools."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from batcheval.checks.called.against_definitions import Defined, is_invalid, is_unknown
from batcheval.checks.called.definitions import definitions_in, definitions_of
from batcheval.checks.called.found import found
from batcheval.checks.counts import calls
from batcheval.checks.operands import listing, quote, sentence
from batcheval.errors import BadArgumentError
from batcheval.scorer import Verdict, check, passed

__all__ = ["valid_tool_args", "valid_tool_names"]


@check
def valid_tool_names(
    definitions: Sequence[Any] | Mapping[str, Any] | pl.Expr | None = None,
    *,
    file: str | None = None,
) -> Verdict:
    """Every tool that the run called is defined: 1.0, else 0.0; 1.0 without any call.

    A row without definitions is unscored. Where a definition brings tools that it does not name, as
    that of a server does, any name passes. Details: `unknown_count`, the
    calls of tools that are not defined; `tools`, their names.

    Args:
        definitions: a list of names or of definitions as OpenAI, Anthropic, Google, Amazon or MCP
            have them, or a table by name; or an expression with such JSON text per row, which by
            default is the column `tool_definitions`.
        file: the path of a JSON file with the same, instead.

    Raises:
        BadArgumentError: there are no definitions in it, or both arguments are given.

    Example:
        >>> calls = [{"name": "search", "state": "ok"}, {"name": "serch", "state": "ok"}]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:1]]})
        >>> traces.select(valid_tool_names([{"name": "search"}]).score).to_series().to_list()
        [0.0, 1.0]
    """
    defined = _defined(definitions, file)
    count, names = found(defined.where(is_unknown), needs=defined.needs)
    told = "the run made {} of tools that are not defined ({}), and should call only those that are"
    reason = sentence(count, told, calls(count), listing(names))
    details = pl.when(count.is_not_null()).then(pl.struct(unknown_count=count, tools=names))
    return passed(count == 0, details, reason)


@check
def valid_tool_args(
    definitions: Sequence[Any] | Mapping[str, Any] | pl.Expr | None = None,
    *,
    file: str | None = None,
) -> Verdict:
    """The arguments of every call fit the schema of its tool: 1.0, else 0.0.

    1.0 without any call. As in `json_schema`; arguments that are no JSON object fit no tool, those
    that are not there are `{}`, and a tool whose definition has no schema takes any object. A call
    of a tool that is not defined does not fit, nor one whose row brings a schema that is none. A
    row without definitions is unscored, as in `valid_tool_names`. Details: `invalid_count`;
    `tools`, the names of those calls; `problems`, what is wrong with the first five.

    Args:
        definitions: as in `valid_tool_names`. Types may go by other names, such as `dict`.
        file: as in `valid_tool_names`.

    Raises:
        BadArgumentError: there are no definitions in it, a schema is none, or both are given.

    Example:
        >>> tools = [{"name": "search", "parameters": {"required": ["q"]}}]
        >>> calls = [{"name": "search", "args": args, "state": "ok"} for args in ('{"q": 1}', "{}")]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[:1]]})
        >>> traces.select(valid_tool_args(tools).score).to_series().to_list()
        [0.0, 1.0]
    """
    defined = _defined(definitions, file)
    where = defined.where(is_invalid, "args")
    count, names = found(where, "args", needs=defined.needs)
    wrong = found(where, "args", needs=defined.needs, tell=defined.problems).names.list.head(5)
    some = pl.format("{} ({})", calls(count), quote(wrong.list.get(0, null_on_oob=True)))
    shown = pl.when(count == 0).then(pl.lit("no call")).otherwise(some)
    reason = sentence(count, "the run made {} that does not fit its tool, and should not", shown)
    details = pl.struct(invalid_count=count, tools=names, problems=wrong)
    return passed(count == 0, pl.when(count.is_not_null()).then(details), reason)


def _defined(value: Any, file: Any) -> Defined:
    """The definitions for all rows, or the column of those of each."""
    if file is not None:
        if value is not None:
            raise BadArgumentError("file", "alone, without 'definitions'", file)
        return Defined(definitions_in(file), None)
    if value is None or isinstance(value, pl.Expr):
        column = pl.col("tool_definitions") if value is None else value
        return Defined(None, column.cast(pl.String))
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | Mapping):
        raise BadArgumentError("definitions", "a list, a table or an expression", value)
    return Defined(definitions_of("definitions", value), None)
