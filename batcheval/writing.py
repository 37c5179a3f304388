"""Scores on their way from a lazy table to a file, and all that is learnt as they pass."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import polars as pl

from batcheval import __version__
from batcheval.engine import score
from batcheval.errors import (
    MissingColumnsError,
    NoTracesError,
    ScoreRangeError,
    UnreadableFileError,
)
from batcheval.output import GROUP_ROWS, Groups, Quarantine, Writer, to_long, writer_for
from batcheval.readers import ReadLog
from batcheval.repeats import RepeatedIds, Repeats
from batcheval.schema import IDENTITY, OUTPUT, Frame, canonical
from batcheval.scorer import Scorer
from batcheval.summary import FORMAT_VERSION, from_tally, merge, open_scores, tally

_SILENT: Final = "\0silent"  # no column of a dump is called that


@dataclass(frozen=True)
class Written:
    """What was written.

    Attributes:
        path: the file of scores.
        summary: one row a scorer, as `summarize` gives it.
        counts: `lines`, `blank`, `quarantined`, `repaired` and `rows`, as read; how many of the
            traces scored were `without_output`; and `repeated_ids`: the numbers of `ids` that
            stand more than once and of `rows` that carry them, with a few `examples`.
        quarantine: the file of the lines that were set aside, or None.
    """

    path: Path
    summary: pl.DataFrame
    counts: dict[str, Any]
    quarantine: Path | None


def write_scores(
    traces: Frame,
    scorers: Sequence[Scorer],
    out: str | Path,
    *,
    keep: Sequence[str] = (),
    details: bool = False,
    reasons: bool = False,
    long: bool = False,
    suite: str = "",
    log: ReadLog | None = None,
    on_rows: Callable[[int], None] | None = None,
) -> Written:
    """Score every trace and write the scores, streaming; the file is there whole or not at all.

    Args:
        traces: as for `score`.
        scorers: as for `score`.
        out: ends in `.parquet`, `.jsonl`, `.ndjson` or `.csv`; an existing file is replaced.
        keep: further columns of the traces to carry over.
        details: also write `<id>_details`.
        reasons: also write `<id>_reason`.
        long: write a row for each trace and scorer instead of a row a trace.
        suite: the text of the suite, kept in the Parquet's metadata.
        log: the one given to `read_traces`, so that its counts are known. Lines that cannot be
            read then go to `<out>.quarantine.jsonl`.
        on_rows: told how many more rows have been scored.

    Raises:
        MissingColumnsError: a scorer or `keep` reads a column that the traces lack.
        DuplicateIdError: two scorers, or a scorer and a column, share a name.
        BadScorerError: a scorer's expression does not fit the types of the columns.
        UnwritablePathError: no file can stand at `out`.
        NoTracesError: there was nothing to score; nothing is written.
        ScoreRangeError: a scorer gave a number outside 0..1; nothing is written.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> from batcheval import checks
        >>> traces = pl.DataFrame({"trace_id": ["a", "b"], "output": ["Sunny.", "Rain."]})
        >>> with TemporaryDirectory() as folder:
        ...     written = write_scores(traces, [checks.includes("sunny")], f"{folder}/s.parquet")
        >>> written.summary["mean"].to_list()
        [0.5]
    """
    log = ReadLog() if log is None else log
    log.restart()
    table = canonical(traces, log.lose).with_columns((OUTPUT == "").alias(_SILENT))
    scores = score(table, scorers, keep=(*keep, _SILENT), details=details, reasons=reasons)
    passing = _Passing(scorers, keep, long)
    with Quarantine(Path(out)) as quarantine, RepeatedIds() as ids:
        log.on_quarantine = quarantine.add
        with writer_for(out, passing.schema(scores)) as writer:
            passing.run(scores, log, writer, ids, on_rows or (lambda rows: None))
            repeats = ids.find()
            counts = passing.counts(log, repeats)
            writer.finish(_metadata(scorers, keep, long, suite, log, counts))
    shown = _with_examples(counts, open_scores(out).scores, len(scorers) if long else 1)
    return Written(Path(out), from_tally(passing.tally()), shown, quarantine.written)


def counts_of(scores: str | Path) -> dict[str, Any] | None:
    """The counts in a Parquet file of scores, as `Written` has them; None in other files.

    Raises:
        UnreadableFileError: there is no such file, or it is damaged.
        NotScoresError: there are no scores in it.
    """
    file = open_scores(scores)
    if file.counts is None:
        return None
    return _with_examples(file.counts, file.scores, len(file.scorers) if file.long else 1)


class _Passing:
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
        frame = frame.drop(_SILENT)
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
            self.silent += int(group[_SILENT].sum())
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
        yield from batches
    except (pl.exceptions.PolarsError, OSError) as error:
        if not log.table_rows:
            raise
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise UnreadableFileError(", ".join(log.sources), reason) from error


def _require_range(group: pl.DataFrame, ids: Sequence[str]) -> None:
    outside = group.select((~pl.col(ids).is_between(0.0, 1.0)).any())
    for name in (name for name in ids if outside[name].item()):
        row = group.filter(~pl.col(name).is_between(0.0, 1.0)).row(0, named=True)
        raise ScoreRangeError(name, row[name], row["trace_id"])


def _metadata(
    scorers: Sequence[Scorer],
    keep: Sequence[str],
    long: bool,
    suite: str,
    log: ReadLog,
    counts: Mapping[str, Any],
) -> dict[str, Any]:
    return {
        "format_version": FORMAT_VERSION,
        "version": __version__,
        "suite": suite,
        "sources": log.sources,
        "scorers": [{"id": scorer.id, "description": scorer.description} for scorer in scorers],
        "keep": list(keep),
        "long": long,
        "counts": counts,
    }


def _with_examples(
    counts: Mapping[str, Any], scores: pl.LazyFrame, rows_a_trace: int
) -> dict[str, Any]:
    """The counts with the places of a few repeated ids, looked up by their rows in the scores."""
    repeated = counts["repeated_ids"]
    repeats = Repeats(**{name: repeated[name] for name in ("ids", "rows", "groups", "counts")})
    examples = repeats.examples(scores.gather_every(rows_a_trace)) if repeats.groups else []
    shown = {"ids": repeats.ids, "rows": repeats.rows, "examples": examples}
    return {**counts, "repeated_ids": shown}
