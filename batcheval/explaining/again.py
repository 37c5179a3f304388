"""One row of scores, its trace read again, and the scorers that made it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import polars as pl

from batcheval.comparing import Run, looked_up
from batcheval.errors import BatchevalError, SeveralRowsError
from batcheval.schema import CANONICAL, IDENTITY, Frame, canonical
from batcheval.scorer import Scorer
from batcheval.selection import called
from batcheval.suite import Suite, scorer_from_call, suite_of


def row_of(run: Run, trace_id: str, name: str | None) -> dict[str, Any]:
    """The one row of this id; for errors see `explain`."""
    have = run.scores.collect_schema()
    lacking = [pl.lit(None, pl.String).alias("run")] * ("run" not in have)
    table = run.scores.with_columns(*lacking).with_columns(
        pl.col("trace_id", "run").cast(pl.String)
    )
    rows = called(table, trace_id, name).collect(engine="streaming")
    if rows.height > 1:
        runs = rows["run"].drop_nulls().unique(maintain_order=True).to_list()
        raise SeveralRowsError(rows["trace_id"][0], runs, rows.height)
    return rows.drop("run" if lacking else []).row(0, named=True)


def suite_again(run: Run) -> Suite:
    """The suite that the scores keep, with the checks of the command line that they describe."""
    text = str(run.metadata.get("suite") or "")
    kept = suite_of(text) if text else Suite([])
    known = {one.id for one in kept.scorers}
    told = run.metadata.get("scorers") or []
    return replace(kept, scorers=[*kept.scorers, *_from_calls(told, known)])


def _from_calls(told: Sequence[Mapping[str, Any]], known: set[str]) -> Iterator[Scorer]:
    for one in told:
        if one["id"] not in known:
            with suppress(BatchevalError):  # an expression, or a scorer of somebody's own
                yield scorer_from_call(str(one.get("description"))).named(one["id"])


def trace_again(
    run: Run, row: Mapping[str, Any], scorers: Sequence[Scorer], traces: Frame | None
) -> pl.DataFrame:
    """The trace of a row, with all columns that there are and those that scorers read."""
    names = [name for name in IDENTITY if name in row]
    types = {name: CANONICAL[name] for name in names}
    bare = pl.DataFrame({name: [row[name]] for name in names}, schema=types, strict=False)
    reads = dict.fromkeys(name for one in scorers for name in sorted(one.columns))
    wanted = dict.fromkeys((n for n in (*CANONICAL, *reads) if n not in names), "explain")
    table = None if traces is None else canonical(traces)
    return looked_up(replace(run, scores=bare.lazy()), wanted, table).scores.collect()
