"""The time that each scorer takes, alone, on a sample."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import process_time
from typing import Final

import polars as pl

from batcheval.costing.ways import WAYS, Way, way_of
from batcheval.schema import Frame, canonical, with_paths
from batcheval.scorer import Scorer, roots

_GROWTH: Final = 8  # from one row on, since some scorers take a second a row
_ENOUGH: Final = 0.03  # CPU seconds that are long enough to be told
_REPEATS: Final = 3
_LEAST: Final = 1e-6  # CPU seconds, the step of the clock


@dataclass(frozen=True)
class Cost:
    """What a scorer costs.

    Attributes:
        scorer: its id; empty for several together.
        rows: how many it was measured on.
        seconds: what these took beyond the first of them, in CPU seconds of all threads together.
        way: by what its score is computed, the slowest part of it.
        columns: what its score reads: columns and paths, sorted.
    """

    scorer: str
    rows: int
    seconds: float
    way: Way
    columns: tuple[str, ...]

    @property
    def rows_per_second(self) -> float:
        """Rows a CPU second, so for one core."""
        return self.rows / self.seconds


def measure(scorers: Sequence[Scorer], sample: Frame) -> list[Cost]:
    """The cost of each score by itself, without details and reasons.

    Runs grow from one row on until one takes long enough to be told, or has the whole sample: then
    the least of three counts. What a run of one row takes is taken off, which is what a run costs
    before it comes to the rows.

    Args:
        scorers: as for `score`; their columns must be there.
        sample: some traces, as for `score`; some thousands do.

    Returns:
        A `Cost` a scorer, in their order.

    Raises:
        MissingColumnsError: a scorer reads a column that the sample lacks.
        ScorerFailedError: a Python function raises.

    Example:
        >>> from batcheval.checks import includes
        >>> from batcheval.costing import made_up
        >>> cost, = measure([includes("order")], made_up(["output"]))
        >>> cost.scorer, cost.way, cost.columns, cost.rows_per_second > 1_000
        ('includes', 'expression', ('output',), True)
    """
    table = _table(scorers, sample)
    return [_cost(one.id, [one.score], table) for one in scorers]


def measure_together(scorers: Sequence[Scorer], sample: Frame) -> Cost:
    """The cost of all scores in one pass, in which work that they share is done once.

    Args:
        scorers: one at least.
        sample: as for `measure`.

    Raises:
        MissingColumnsError: a scorer reads a column that the sample lacks.
        ScorerFailedError: a Python function raises.
    """
    return _cost("", [one.score for one in scorers], _table(scorers, sample))


def _table(scorers: Sequence[Scorer], sample: Frame) -> pl.DataFrame:
    reads = {name: f"scorer '{one.id}'" for one in scorers for name in roots([one.score])}
    return with_paths(canonical(sample), reads).collect()


def _cost(scorer_id: str, exprs: Sequence[pl.Expr], table: pl.DataFrame) -> Cost:
    columns = roots(exprs)
    numbered = [expr.alias(str(place)) for place, expr in enumerate(exprs)]
    # The first column too: scorers that read none give one row, however many there are.
    kept = table.select(sorted({*columns, *table.columns[:1]}))
    _seconds(kept.head(1), numbered)  # what is loaded and compiled at the first use
    fixed = _seconds(kept.head(1), numbered)
    rows, taken = 1, 0.0
    while rows < table.height and taken < _ENOUGH:
        rows = min(rows * _GROWTH, table.height)
        taken = _seconds(kept.head(rows), numbered) - fixed
    if taken < _ENOUGH:
        fixed, whole = (_least(kept.head(height), numbered) for height in (1, rows))
        taken = whole - fixed
    way = max((way_of(expr) for expr in exprs), key=[*WAYS].index)
    return Cost(scorer_id, rows, max(taken, _LEAST), way, tuple(sorted(columns)))


def _least(table: pl.DataFrame, exprs: Sequence[pl.Expr]) -> float:
    return min(_seconds(table, exprs) for _ in range(_REPEATS))


def _seconds(table: pl.DataFrame, exprs: Sequence[pl.Expr]) -> float:
    plan = table.lazy().select(exprs)
    start = process_time()
    plan.collect()
    return process_time() - start
