"""What the tool calls of a run come to: names, counts and failures, each spelled in one way.

A call counts unless its arguments were still streaming in (state `partial`) or it has no name; for
errors the unnamed ones count too.

Polars computes what several checks share once, but `list.eval` anew for each of them; inside of
`map_batches` it is shared too.
"""

from typing import Final

import polars as pl

from batcheval.checks.operands import needle
from batcheval.errors import BadArgumentError
from batcheval.schema import TOOL_CALLS

_NAME: Final = pl.element().struct.field("name")
_STATE: Final = pl.element().struct.field("state")
_FAILED: Final = _STATE.is_in(["error", "pending"])
_LIST: Final = pl.List(pl.String)


def _names(calls: pl.Series) -> pl.Series:
    counts = (_NAME != "") & _STATE.ne_missing("partial")
    return calls.list.eval(pl.when(counts).then(_NAME).drop_nulls())  # half the time of `filter`


def _errors(calls: pl.Series) -> pl.Series:
    return calls.list.eval(_FAILED).list.sum().cast(pl.Int64)


def _failed_names(calls: pl.Series) -> pl.Series:
    return calls.list.eval(pl.when(_FAILED & (_NAME != "")).then(_NAME).drop_nulls())


def _in_hex(names: pl.Series) -> pl.Series:
    return names.list.eval(_hex(pl.element())).list.join("")


NAMES: Final = TOOL_CALLS.map_batches(_names, return_dtype=_LIST, is_elementwise=True)
COUNT: Final = NAMES.list.len().cast(pl.Int64)
ERRORS: Final = TOOL_CALLS.map_batches(_errors, return_dtype=pl.Int64, is_elementwise=True)
TOTAL: Final = TOOL_CALLS.list.len().cast(pl.Int64)
FAILED_NAMES: Final = TOOL_CALLS.map_batches(_failed_names, return_dtype=_LIST, is_elementwise=True)
_HEX_NAMES: Final = NAMES.map_batches(_in_hex, return_dtype=pl.String, is_elementwise=True)


def tool_needle(name: str, value: object) -> pl.Expr:
    """The name of a tool to look for, as `needle` has it.

    Raises:
        BadArgumentError: it is neither a name nor an expression, or the column that holds calls.
        BlankArgumentError: it is the empty text.
    """
    if isinstance(value, pl.Expr) and value.meta.eq(pl.col("expected_tool_calls")):
        wanted = (
            "the name of a tool; the calls in 'expected_tool_calls' are an order, which"
            " tool_order and the expected_tool_order of tool_call_accuracy take"
        )
        raise BadArgumentError(name, wanted, value)
    return needle(name, value)


def count_of(wanted: pl.Expr, *, per_row: bool) -> pl.Expr:
    """How many of `NAMES` are the one `wanted`: Int64, null where that is null."""
    if per_row:  # which `list.count_matches` cannot do
        return _HEX_NAMES.str.count_matches(_hex(wanted), literal=True).cast(pl.Int64)
    return NAMES.list.count_matches(wanted).cast(pl.Int64)


def _hex(name: pl.Expr) -> pl.Expr:
    """A name so spelled that none can hold another, nor the spaces between them."""
    return " " + name.str.encode("hex") + " "
