"""Tables of examples, a room each: a scorer, a trace, and the score it must get."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import polars as pl

from batcheval.schema import CANONICAL
from batcheval.scorer import Scorer

Trace: TypeAlias = dict[str, Any]
Case: TypeAlias = tuple[Scorer, Trace, float | None]


def trace(**fields: Any) -> Trace:
    """A trace of these fields; a call in `tool_calls` may be just its name, or name and state."""
    if fields.get("tool_calls"):
        fields["tool_calls"] = [_call(given) for given in fields["tool_calls"]]
    return {"trace_id": "t", **fields}


def _call(given: Any) -> dict[str, Any]:
    if isinstance(given, dict):
        return given
    name, state = given if isinstance(given, tuple) else (given, "ok")
    return {"name": name, "state": state}


def frame(rows: Sequence[Trace]) -> pl.DataFrame:
    """The canonical table of these traces; fields of other names ride along."""
    names = dict.fromkeys([*CANONICAL, *(name for row in rows for name in row)])
    whole = [{name: row.get(name) for name in names} for row in rows]
    return pl.DataFrame(whole, schema_overrides=CANONICAL, infer_schema_length=None)
