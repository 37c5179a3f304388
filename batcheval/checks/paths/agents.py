"""Which agents made the calls of a run, and where one hands over to another."""

from typing import Final

import polars as pl

from batcheval.checks.calls import NAMES
from batcheval.schema import TOOL_CALLS

_FIELD: Final = pl.element().struct.field
_COUNTS: Final = (_FIELD("name") != "") & _FIELD("state").ne_missing("partial")
_LIST: Final = pl.List(pl.String)

# transfer_to_billing, transfer_back_to_supervisor, "handoff to billing", delegate_work
_HANDS_OVER: Final = r"(?i)^(transfer_(back_)?to_|hand_?off|delegate)"


def _agents(calls: pl.Series) -> pl.Series:
    agent = pl.when(_COUNTS & (_FIELD("agent") != "")).then(_FIELD("agent"))
    return calls.list.eval(agent.drop_nulls())


def _changes(calls: pl.Series) -> pl.Series:
    agent = _FIELD("agent").fill_null("")
    made = calls.list.eval(pl.when(_COUNTS).then(agent).drop_nulls())
    changed = pl.element() != pl.element().shift()
    return made.list.eval(changed).list.sum().cast(pl.Int64).fill_null(0)


AGENTS: Final = TOOL_CALLS.map_batches(_agents, return_dtype=_LIST, is_elementwise=True)
CHANGES: Final = TOOL_CALLS.map_batches(_changes, return_dtype=pl.Int64, is_elementwise=True)


def handing_over(tools: list[str] | None) -> pl.Expr:
    """The names of the calls that hand over: those of `tools`, or whose name says so."""

    def found(names: pl.Series) -> pl.Series:
        name = pl.element()
        hands = name.str.contains(_HANDS_OVER) if tools is None else name.is_in(tools)
        return names.list.eval(pl.when(hands).then(name).drop_nulls())

    return NAMES.map_batches(found, return_dtype=_LIST, is_elementwise=True)
