"""How often a run called a tool, as a verdict and in words."""

from collections.abc import Callable

import polars as pl

from batcheval.checks.calls import NAMES, count_of, tool_needle
from batcheval.checks.operands import either, quote, sentence
from batcheval.scorer import Verdict, passed


def verdict_on(
    tool_name: str | pl.Expr, holds: Callable[[pl.Expr], pl.Expr], asked: str
) -> Verdict:
    """The verdict on how often each run called a tool: `holds` of the count, `asked` in words."""
    wanted = tool_needle("tool_name", tool_name)
    count = count_of(wanted, per_row=isinstance(tool_name, pl.Expr))
    found = f"the run made {{}} of {{}}, and should make {asked}"
    reason = sentence(count, found, calls(count), quote(wanted))
    return passed(holds(count), pl.struct(actual_count=count, actual_tools=NAMES), reason)


def calls(count: pl.Expr) -> pl.Expr:
    """A count in words: `1 call`, `3 calls`."""
    return pl.format("{} {}", count, either(count == 1, "call", "calls"))
