"""Whether a run called the tool that it should, or the tools in their order."""

from collections.abc import Sequence

import polars as pl

from batcheval.checks.calls import NAMES, tool_needle
from batcheval.checks.operands import flag, listing, quote
from batcheval.checks.orders import in_order, names_per_row
from batcheval.checks.trajectories.arguments import names_of
from batcheval.errors import MissingArgumentError
from batcheval.scorer import Verdict, batched, check

_HAS_CALLS = NAMES.list.len() > 0


@check
def tool_call_accuracy(
    expected_tool: str | pl.Expr | None = None,
    expected_tool_order: Sequence[str] | pl.Expr | None = None,
    *,
    strict_mode: bool = False,
) -> Verdict:
    """The run called the right tool, or the right tools in order: 1.0, else 0.0.

    After the code scorer of that name in Mastra's evals. Details: `correct_tool_called` and
    `correct_order_called` (null where not asked for), `has_tool_calls`, `actual_tools`.

    A run without calls scores 0.0, whatever is expected. An order counts only the first call of
    each tool, so that one with a name twice is never met; `tool_order` looks for a subsequence.

    Args:
        expected_tool: the name of a tool that must be called, as in `called_tool`; passed over
            where an order is expected.
        expected_tool_order: names, as in `tool_order`; an empty list leaves it to `expected_tool`.
        strict_mode: nothing else may be called, and nothing twice.

    Raises:
        MissingArgumentError: neither a tool nor an order is given.
        BlankArgumentError: `expected_tool` is the empty text.
        BadArgumentError: an argument is of the wrong type, or one of the names is empty.

    Example:
        >>> calls = [{"name": name, "state": "ok"} for name in ("search", "read", "search")]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[1:], []]})
        >>> traces.select(tool_call_accuracy("read").score).to_series().to_list()
        [1.0, 1.0, 0.0]
        >>> ordered = tool_call_accuracy(expected_tool_order=["search", "read"])
        >>> traces.select(ordered.score).to_series().to_list()
        [1.0, 0.0, 0.0]
    """
    strict = flag("strict_mode", strict_mode)
    if expected_tool is None and expected_tool_order is None:
        choice = "expected_tool' or 'expected_tool_order"
        raise MissingArgumentError("tool_call_accuracy", choice)
    tool, order = pl.lit(None, pl.String), pl.lit(None, pl.List(pl.String))
    if expected_tool is not None:
        tool = tool_needle("expected_tool", expected_tool)
    if isinstance(expected_tool_order, pl.Expr):
        order = names_per_row(expected_tool_order)
    elif expected_tool_order is not None:
        order = names_of("expected_tool_order", expected_tool_order)
    return _verdict(tool, order, has_order=expected_tool_order is not None, strict=strict)


def _verdict(tool: pl.Expr, order: pl.Expr, *, has_order: bool, strict: bool) -> Verdict:
    """The verdict on the tools that each run called.

    Args:
        tool: the name that should be called; null where none is asked for.
        order: the names that should be called in their order; where it is empty, `tool` decides.
        has_order: an order was asked for, so that a row where it is null is unscored.
        strict: nothing else may be called.
    """
    right_tool = pl.when(tool.is_not_null()).then(_calls(tool, strict))
    right_order = _follows(order, strict)
    by_order = order.list.len() > 0
    met: pl.Expr = right_tool
    if has_order:
        by_tool = right_tool.fill_null(False)
        met = pl.when(by_order).then(right_order).when(by_order.is_not_null()).then(by_tool)
    score = pl.when(met.is_not_null()).then((met & _HAS_CALLS).cast(pl.Float64))
    details = pl.struct(
        correct_tool_called=right_tool,
        correct_order_called=right_order,
        has_tool_calls=_HAS_CALLS,
        actual_tools=NAMES,
    )
    asked = pl.when(by_order).then(_order_asked(order, strict)).otherwise(_tool_asked(tool, strict))
    reason = pl.format("the run called {}, and {}", listing(NAMES), asked)
    return Verdict(score, details, pl.when(score.is_not_null()).then(reason))


def _calls(tool: pl.Expr, strict: bool) -> pl.Expr:
    if strict:
        return ((NAMES.list.len() == 1) & (NAMES.list.first() == tool)).fill_null(False)
    return NAMES.list.contains(tool)


def _follows(order: pl.Expr, strict: bool) -> pl.Expr:
    """With the first call of each tool alone, a subsequence has these calls in its order."""
    if strict:
        return order == NAMES
    return batched(in_order, NAMES.list.unique(maintain_order=True), order) == 1


def _order_asked(order: pl.Expr, strict: bool) -> pl.Expr:
    words = "should call just {}, in this order" if strict else "should call {} in this order"
    return pl.format(words, listing(order))


def _tool_asked(tool: pl.Expr, strict: bool) -> pl.Expr:
    words = "should call {} alone, and once" if strict else "should call {}"
    asked = pl.format(words, quote(tool))
    return asked.fill_null("nothing is expected that it could meet")
