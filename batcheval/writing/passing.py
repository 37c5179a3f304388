"""The scores passing by, batch by batch: checked, counted, written."""

from collections.abc import Callable, Iterable, Sequence
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
from batcheval.writing.streaming import counted, what_there_was

_SIGN: Final = "\0"  # in front of what is counted; no column of a dump is called so


class Passing:
    """What is learnt from the scores while they pass, and the form in which they leave."""

    def __init__(self, scorers: Sequence[Scorer], keep: Sequence[str], long: bool) -> None:
        self._ids = [scorer.id for scorer in scorers]
        self._keep, self._long = keep, long
        self._tallies: list[pl.DataFrame] = []
        self.rows = 0
        # Whether a trace has no output; and no input, where a scorer reads it.
        self.signs = {f"{_SIGN}without_output": OUTPUT == ""}
        if any("input" in scorer.columns for scorer in scorers):
            self.signs[f"{_SIGN}without_input"] = INPUT.str.strip_chars() == ""
        self.signed = {sign.removeprefix(_SIGN): 0 for sign in self.signs}

    def schema(self, scores: pl.LazyFrame) -> pl.Schema:
        """The columns that are written."""
        return self._formed(scores.collect_schema().to_frame()).schema

    def _formed(self, frame: pl.DataFrame) -> pl.DataFrame:
        frame = frame.drop(*self.signs, strict=False)
        return to_long(frame, self._ids, self._keep).collect() if self._long else frame

    def run(
        self,
        frames: Iterable[pl.DataFrame],
        writer: Writer,
        ids: RepeatedIds | None = None,
        on_rows: Callable[[int], None] = lambda rows: None,
    ) -> None:
        """Let all scores pass, in groups of one height whatever the batches of the engine."""

        def emit(group: pl.DataFrame) -> None:
            _require_range(group, self._ids)
            self._tallies.append(tally(group, self._ids))
            self.rows += group.height
            for sign in self.signs.keys() & group.schema.keys():
                self.signed[sign.removeprefix(_SIGN)] += int(group[sign].sum())
            if ids is not None:
                ids.add(group.select(IDENTITY))
            writer.write(self._formed(group))

        groups = Groups(GROUP_ROWS, emit)
        for frame in frames:
            groups.add(frame)
            on_rows(frame.height)
        groups.flush()

    def tally(self) -> pl.DataFrame:
        """The tally of all scores."""
        return merge(self._tallies)

    def counts(self, log: ReadLog, repeats: Repeats) -> dict[str, Any]:
        """All that was counted, for the report and the metadata."""
        return counted(log, self.rows, self.signed["without_output"], repeats) | self.signed


def require_all(log: ReadLog, rows: int) -> None:
    """See to it, at the end, that there was something to score, and what was asked for.

    Raises:
        TooManyBadLinesError: more lines were bad than may be.
        NoTracesError: no trace was scored.
        MissingColumnsError: no record had a column that somebody asked for.
    """
    log.close()
    if not rows:
        raise NoTracesError(log.sources or ["the table"], what_there_was(log))
    for name in sorted(log.unseen):
        raise MissingColumnsError("the suite", name, log.seen)


def _require_range(group: pl.DataFrame, ids: Sequence[str]) -> None:
    outside = group.select((~pl.col(ids).is_between(0.0, 1.0)).any())
    for name in (name for name in ids if outside[name].item()):
        row = group.filter(~pl.col(name).is_between(0.0, 1.0)).row(0, named=True)
        raise ScoreRangeError(name, row[name], row["trace_id"])
