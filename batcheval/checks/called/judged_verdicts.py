"""The verdicts on arguments and results of calls."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from batcheval.checks.called.judged import IN_WORDS, Tool, judge
from batcheval.checks.calls import tool_needle
from batcheval.checks.counts import calls
from batcheval.checks.operands import quote, sentence
from batcheval.checks.trajectories.verdicts import text_of
from batcheval.schema import TOOL_CALLS
from batcheval.schema.series import relisted
from batcheval.scorer import Verdict, batched, passed

MOST_PROBLEMS: Final = 5

_FIELDS: Final = {"actual_count": pl.Int64(), "met": pl.Int64(), "problems": pl.List(pl.String)}


def verdict_on(tool: Tool, tool_name: str | pl.Expr, what: str) -> Verdict:
    """Whether the calls of a tool are as asked.

    Args:
        tool: which calls, and what is asked of them.
        tool_name: the argument that names it.
        what: is judged of them, in words.
    """
    name = tool_needle("tool_name", tool_name)
    needs = [name] if tool.name is None else []
    needs += [column.cast(pl.String) for column in tool.asked.columns.values()]

    def holds(lists: pl.Series, *columns: pl.Series) -> pl.Series:
        return judge(tool, lists, columns).holds(tool.which)

    met = batched(holds, TOOL_CALLS, *needs) == 1
    evidence = _evidence(tool, needs)
    duty = IN_WORDS.get(str(tool.which), f"call {tool.which}")
    words = tool.asked.words[:80].replace("{", "{{").replace("}", "}}")
    asked = f"{{}} of {{}}, and {duty} should have {what} as asked: {words}"
    reason = sentence(met, asked, text_of(evidence, _found(what)), quote(name))
    return passed(met, evidence, reason)


def _found(what: str) -> pl.Expr:
    """What was found, from the evidence."""
    problem = pl.col("problems").list.get(0, null_on_oob=True)
    wrong = pl.format(" ({})", quote(problem)).fill_null("")
    counts = [calls(pl.col("actual_count")), pl.col("met").cast(pl.String)]
    return pl.format(
        "the run made {}, {} with such " + what.removeprefix("a ") + "{}", *counts, wrong
    )


def _evidence(tool: Tool, needs: Sequence[pl.Expr]) -> pl.Expr:
    """What was found of each row, all null where it is unscored."""

    def found(batch: pl.Series) -> pl.Series:
        lists, *columns = batch.struct.unnest().get_columns()
        judged = judge(tool, lists, columns)
        problems = pl.Series(judged.problems, dtype=pl.String)
        many = [0] * len(lists)
        for row in judged.rows.tolist():
            many[row] += 1
        kept = relisted(problems, many).list.head(MOST_PROBLEMS)
        values = [pl.Series(judged.total), pl.Series(judged.met), kept]
        none = pl.Series(judged.met < 0)
        named = zip(_FIELDS.items(), values, strict=True)
        return pl.DataFrame(
            {
                name: value.cast(kind).zip_with(~none, pl.Series([None], dtype=kind))
                for (name, kind), value in named
            }
        ).to_struct()

    rows = pl.struct(TOOL_CALLS, *(column.alias(str(n)) for n, column in enumerate(needs)))
    return rows.map_batches(found, return_dtype=pl.Struct(_FIELDS), is_elementwise=True)
