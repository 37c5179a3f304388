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
from batcheval.schema import IDENTITY, INPUT, OUTPUT
from batcheval.scorer import Scorer
from batcheval.summary import merge, tally
from batcheval.writing.streaming import counted, frames_of, what_there_was

# No column of a dump is called that.
_SILENT: Final = "\0silent"
_UNASKED: Final = "\0unasked"


class Passing:
    """What is learnt from the scores while they pass, and the form in which they leave."""

    def __init__(self, scorers: Sequence[Scorer], keep: Sequence[str], long: bool) -> None:
        self._ids = [scorer.id for scorer in scorers]
        self._keep, self._long = keep, long
        self._tallies: list[pl.DataFrame] = []
        self.rows = 0
        # Whether a trace has no output; and no input, where a scorer reads it.
        self.signs = {_SILENT: OUTPUT == ""}
        if any("input" in scorer.columns for scorer in scorers):
            self.signs[_UNASKED] = INPUT.str.strip_chars() == ""
        self._signed = dict.fromkeys(self.signs, 0)

    def schema(self, scores: pl.LazyFrame) -> pl.Schema:
        """The columns that are written."""
        return self._formed(scores.collect_schema().to_frame()).schema

    def _formed(self, frame: pl.DataFrame) -> pl.DataFrame:
        frame = frame.drop(*self.signs)
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
            for sign in self.signs:
                self._signed[sign] += int(group[sign].sum())
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
        counts = counted(log, self.rows, self._signed[_SILENT], repeats)
        if _UNASKED in self.signs:
            counts["without_input"] = self._signed[_UNASKED]
        return counts


def _require_range(group: pl.DataFrame, ids: Sequence[str]) -> None:
    outside = group.select((~pl.col(ids).is_between(0.0, 1.0)).any())
    for name in (name for name in ids if outside[name].item()):
        row = group.filter(~pl.col(name).is_between(0.0, 1.0)).row(0, named=True)
        raise ScoreRangeError(name, row[name], row["trace_id"])
