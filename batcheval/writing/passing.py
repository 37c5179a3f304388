"""The scores passing by, batch by batch: checked, counted, written."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import polars as pl

from batcheval.errors import (
    MissingColumnsError,
    NoTracesError,
    ScoreRangeError,
)
from batcheval.output import GROUP_ROWS, Groups, Writer, to_long
from batcheval.readers import ReadLog
from batcheval.repeats import RepeatedIds, Repeats
from batcheval.schema import IDENTITY
from batcheval.scorer import Scorer
from batcheval.summary import merge, tally
from batcheval.writing.streaming import counted, frames_of, what_there_was

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
        for frame in frames_of(scores, log):
            groups.add(frame)
            on_rows(frame.height)
        groups.flush()
        self._require_all(log)

    def _require_all(self, log: ReadLog) -> None:
        log.close()
        if not self.rows:
            raise NoTracesError(log.sources or ["the table"], what_there_was(log))
        for name in sorted(log.unseen):
            raise MissingColumnsError("the suite", name, log.seen)

    def tally(self) -> pl.DataFrame:
        """The tally of all scores."""
        return merge(self._tallies)

    def counts(self, log: ReadLog, repeats: Repeats) -> dict[str, Any]:
        """All that was counted, for the report and the metadata."""
        return counted(log, self.rows, self.silent, repeats)


def _require_range(group: pl.DataFrame, ids: Sequence[str]) -> None:
    outside = group.select((~pl.col(ids).is_between(0.0, 1.0)).any())
    for name in (name for name in ids if outside[name].item()):
        row = group.filter(~pl.col(name).is_between(0.0, 1.0)).row(0, named=True)
        raise ScoreRangeError(name, row[name], row["trace_id"])
