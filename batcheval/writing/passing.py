"""The scores passing by, batch by batch: checked, counted, written."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import polars as pl

from batcheval.errors import (
    MissingColumnsError,
    NoTracesError,
    ScoreRangeError,
    ScorerFailedError,
    ScoringFailedError,
)
from batcheval.output import GROUP_ROWS, Groups, Writer, to_long
from batcheval.readers import ReadLog
from batcheval.rehearsal import first_line
from batcheval.repeats import RepeatedIds, Repeats
from batcheval.schema import IDENTITY
from batcheval.scorer import Scorer
from batcheval.summary import merge, tally

_PREFETCH: Final = "POLARS_ROW_GROUP_PREFETCH_SIZE"
SILENT: Final = "\0silent"  # no column of a dump is called that


class Passing:
    """What is learnt from the scores while they pass, and the form in which they leave."""

    def __init__(self, scorers: Sequence[Scorer], keep: Sequence[str], long: bool) -> None:
        self._ids = [scorer.id for scorer in scorers]
        self._keep, self._long = keep, long
        self._tallies: list[pl.DataFrame] = []
        self.rows = self.silent = 0

    def schema(self, scores: pl.LazyFrame) -> pl.Schema:
        """The columns that are written."""
        return self._formed(scores.collect_schema().to_frame()).schema

    def _formed(self, frame: pl.DataFrame) -> pl.DataFrame:
        frame = frame.drop(SILENT)
        return to_long(frame, self._ids, self._keep).collect() if self._long else frame

    def run(
        self,
        scores: pl.LazyFrame,
        log: ReadLog,
        writer: Writer,
        ids: RepeatedIds,
        on_rows: Callable[[int], None],
    ) -> None:
        """Let all scores pass, in groups of one height whatever the batches of the engine."""

        def emit(group: pl.DataFrame) -> None:
            _require_range(group, self._ids)
            self._tallies.append(tally(group, self._ids))
            self.rows += group.height
            self.silent += int(group[SILENT].sum())
            ids.add(group.select(IDENTITY))
            writer.write(self._formed(group))

        groups = Groups(GROUP_ROWS, emit)
        for frame in _frames(scores, log):
            groups.add(frame)
            on_rows(frame.height)
        groups.flush()
        self._require_all(log)

    def _require_all(self, log: ReadLog) -> None:
        log.close()
        if not self.rows:
            raise NoTracesError(log.sources or ["the table"], _what_there_was(log))
        for name in sorted(log.unseen):
            raise MissingColumnsError("the suite", name, log.seen)

    def tally(self) -> pl.DataFrame:
        """The tally of all scores."""
        return merge(self._tallies)

    def counts(self, log: ReadLog, repeats: Repeats) -> dict[str, Any]:
        """All that was counted, for the report and the metadata."""
        repeated = {"ids": repeats.ids, "rows": repeats.rows, "groups": repeats.groups}
        read = {name: getattr(log, name) for name in ("lines", "blank", "quarantined", "repaired")}
        if not log.sources:  # the traces came as a table
            read["lines"] = self.rows
        return {
            **read,
            "rows": log.rows if log.sources else self.rows,
            "scored": self.rows,
            "without_output": self.silent,
            "passed_over": log.passed_over,
            "layouts": dict(Counter(log.layouts.values())),
            "records": log.records,
            "lost_columns": sorted(log.lost_columns),
            "repeated_ids": {**repeated, "counts": repeats.counts},
        }


def _what_there_was(log: ReadLog) -> str:
    if log.rows:
        return f"none of {log.rows:,} traces was chosen"
    if not log.lines:
        return "nothing in it" if len(log.sources) < 2 else "nothing in them"
    return f"{log.lines:,} lines, {log.blank:,} of them blank and {log.quarantined:,} bad"


def _frames(scores: pl.LazyFrame, log: ReadLog) -> Iterator[pl.DataFrame]:
    batches = scores.collect_batches(engine="streaming", maintain_order=True, lazy=True)
    try:
        with _one_row_group_ahead():
            yield from batches
    except ScorerFailedError as error:
        raise ScorerFailedError(first_line(error)) from error
    except (pl.exceptions.PolarsError, OSError) as error:
        raise ScoringFailedError(log.sources, first_line(error)) from error
    except Exception as error:
        if "This error occurred in the following expression" not in str(error):
            raise
        raise ScoringFailedError(log.sources, first_line(error)) from error  # somebody's function


@contextmanager
def _one_row_group_ahead() -> Iterator[None]:
    """Keep polars from decoding several Parquet row groups ahead: memory grew with the file.

    Measured on a million traces: 1,600 MB with polars' own choice, 400 MB so, in the same time.
    """
    given = os.environ.get(_PREFETCH)
    os.environ.setdefault(_PREFETCH, "1")
    try:
        yield
    finally:
        if given is None:
            os.environ.pop(_PREFETCH, None)


def _require_range(group: pl.DataFrame, ids: Sequence[str]) -> None:
    outside = group.select((~pl.col(ids).is_between(0.0, 1.0)).any())
    for name in (name for name in ids if outside[name].item()):
        row = group.filter(~pl.col(name).is_between(0.0, 1.0)).row(0, named=True)
        raise ScoreRangeError(name, row[name], row["trace_id"])
