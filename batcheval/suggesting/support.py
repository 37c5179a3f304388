"""In which runs checks hold: counted from the scores of the checks themselves."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import polars as pl

from batcheval.output import Groups
from batcheval.readers import ReadLog
from batcheval.scorer import Scorer
from batcheval.suggesting.calls import GOOD
from batcheval.suite import make_scorer
from batcheval.suite.parts import from_table
from batcheval.writing.streaming import frames_of

_SHOWN: Final = 20  # ids of runs that break a check
_ROWS: Final = 8_192  # that are scored at once
_HOLDS: Final = "\0holds"


class Support:
    """What became of one check.

    Attributes:
        holds: of runs that are good (True), bad (False), or neither (None): how many have 1.0.
        scored: of them, how many have a score.
        breakers: the ids of the first good (True) and bad (False) runs with less.
    """

    def __init__(self) -> None:
        self.holds: dict[bool | None, int] = dict.fromkeys((True, False, None), 0)
        self.scored: dict[bool | None, int] = dict.fromkeys((True, False, None), 0)
        self.breakers: dict[bool, list[str]] = {True: [], False: []}

    def add(self, frame: pl.DataFrame, counts: pl.DataFrame, name: str) -> None:
        """Count the scores in column `name` of a frame, of which `counts` are by label."""
        for label, scored, holds in counts.select(GOOD, name, name + _HOLDS).rows():
            self.scored[label] += scored
            self.holds[label] += holds
            if label is not None and scored > holds and len(self.breakers[label]) < _SHOWN:
                breaks = (pl.col(name) < 1) & (pl.col(GOOD) == label)
                ids = frame.lazy().filter(breaks).select("trace_id").head(_SHOWN).collect()
                self.breakers[label] += ids.to_series().to_list()
                del self.breakers[label][_SHOWN:]


def scorer_of(name: str, table: Mapping[str, Any]) -> Scorer:
    """The scorer that a table of a suite stands for."""
    return from_table(name, table, make_scorer).named(name)


def measured(
    table: pl.LazyFrame,
    checks: Mapping[str, Mapping[str, Any]],
    log: ReadLog,
    on_rows: Callable[[int], None],
) -> dict[str, Support]:
    """Score all runs, streaming.

    Args:
        table: the canonical table, with `GOOD`.
        checks: tables of a suite, by id.
        log: of the read.
        on_rows: told how many more rows have been scored.
    """
    scorers = [scorer_of(*one) for one in checks.items()]
    found = {name: Support() for name in checks}
    scores = [one.score.cast(pl.Float64).alias(one.id) for one in scorers]

    def count(group: pl.DataFrame) -> None:
        frame = group.lazy().select("trace_id", GOOD, *scores).collect(engine="streaming")
        counts = _counts(frame, list(checks))
        for name, support in found.items():
            support.add(frame, counts, name)

    # In small groups: a check of calls holds copies of all calls that it looks at.
    groups = Groups(_ROWS, count)
    reads = {"trace_id", GOOD, *(name for one in scorers for name in one.columns)}
    for frame in frames_of(table.select(sorted(reads)), log):
        groups.add(frame)
        on_rows(frame.height)
    groups.flush()
    return found


def _counts(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    scored = [pl.col(name).count() for name in names]
    holds = [(pl.col(name) == 1).sum().alias(name + _HOLDS) for name in names]
    return frame.group_by(GOOD).agg(*scored, *holds)
