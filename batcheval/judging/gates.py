"""Whether a run reached what its suite's gates ask, as a whole and slice by slice."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final, TypeAlias

import polars as pl

from batcheval.judging.asked import RegressionBy, Row, held, regression
from batcheval.judging.outcome import Judged, Judgement, judgement_of
from batcheval.suite.gates import Gate

Held: TypeAlias = Callable[[str, Row, Gate], Iterable[Judged]]

_NOTHING: Final[Row] = {"scored": 0, "unscored": 0, "mean": None, "full": None}


def judge(
    summary: pl.DataFrame, gates: Mapping[str, Gate], slices: pl.DataFrame | None = None
) -> Judgement:
    """Hold the scores of a run against gates.

    `max_regression` needs a base to be held against: see `judge_regressions`.

    Args:
        summary: one row a scorer, as `summarize` gives it.
        gates: by scorer id, as `load_suite(...).gates` has them.
        slices: one row a slice and scorer, as `summarize_by` gives it, where gates go by slices.

    Example:
        >>> from batcheval import summarize
        >>> scores = pl.DataFrame({"trace_id": ["a", "b"], "polite": [1.0, 0.5]})
        >>> found = judge(summarize(scores), {"polite": Gate(every=True, min=0.7)})
        >>> found.verdict, [(gate.key, gate.passed) for gate in found.gates]
        ('failed', [('every', False), ('min', True)])

    Source: the verdict of Mastra's `runEvals`, save that what was not scored never passes.
    """
    return judgement_of(_in_all(summary, slices, gates, held))


def judge_regressions(
    scorers: pl.DataFrame,
    gates: Mapping[str, Gate],
    by: RegressionBy = "estimate",
    slices: pl.DataFrame | None = None,
) -> Judgement:
    """Hold the `max_regression` of gates against a comparison.

    Args:
        scorers: one row a scorer, as `compare(...).scorers` has it.
        gates: by scorer id.
        by: whether the estimate of the difference decides, or the worse end of its interval.
        slices: one row a slice and scorer, as `compare(...).slices` has it.

    Example:
        >>> row = {"scorer": "polite", "n": 9, "difference": -0.05, "low": -0.09, "high": 0.0}
        >>> found = judge_regressions(pl.DataFrame([row]), {"polite": Gate(max_regression=0.06)})
        >>> found.verdict, found.gates[0].found
        ('passed', 'fell by 0.050 (estimate), and may fall by 0.06')
    """
    asked = {name: gate for name, gate in gates.items() if gate.max_regression is not None}
    return judgement_of(_in_all(scorers, slices, asked, partial(regression, by=by)))


def _in_all(
    whole: pl.DataFrame, slices: pl.DataFrame | None, gates: Mapping[str, Gate], ask: Held
) -> Iterable[Judged]:
    """What gates ask of the whole, then of each slice that is large enough."""
    rows = {row["scorer"]: row for row in whole.to_dicts()}
    parts = [] if slices is None else slices.to_dicts()
    for name, gate in gates.items():
        yield from ask(name, rows.get(name, _NOTHING), gate)
        for column in gate.by:
            own = [row for row in parts if (row["column"], row["scorer"]) == (column, name)]
            yield from _in_slices(name, column, own, gate, ask)


def _in_slices(
    name: str, column: str, rows: list[dict[str, Any]], gate: Gate, ask: Held
) -> Iterable[Judged]:
    if rows and all(row["value"] is None for row in rows):
        found = f"no trace has '{column}', by which it is to be judged"
        yield Judged(name, "by", False, found, column)
        return
    least = gate.min_slice_size
    large = [row for row in rows if _size(row) >= least]
    for row in large:
        for judged in ask(name, row, gate):
            yield judged._replace(column=column, value=row["value"])
    if not large:
        found = f"no slice by {column} is of {least:,} or more, and so none was judged"
        yield Judged(name, "min_slice_size", False, found, column)
    elif small := len(rows) - len(large):
        found = f"{small:,} of {len(rows):,} slices by {column} are of fewer than {least:,}, and"
        yield Judged(name, "min_slice_size", True, f"{found} were not judged", column)


def _size(row: Row) -> int:
    return int(row["n"] if "n" in row else row["scored"] + row["unscored"])
