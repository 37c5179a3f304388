"""`write_scores`: every trace scored, into a file that is whole or not there."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from batcheval import __version__
from batcheval.engine import score
from batcheval.output import Quarantine, writer_for
from batcheval.readers import ReadLog
from batcheval.repeats import RepeatedIds
from batcheval.schema import Frame, canonical
from batcheval.scorer import Scorer
from batcheval.stores import Place
from batcheval.summary import FORMAT_VERSION, from_tally, open_scores
from batcheval.writing.apart import require_apart
from batcheval.writing.counts import with_examples
from batcheval.writing.passing import Passing, require_all
from batcheval.writing.streaming import frames_of


@dataclass(frozen=True)
class Written:
    """What was written.

    Attributes:
        path: the file of scores.
        summary: one row a scorer, as `summarize` gives it.
        counts: `lines`, `blank`, `quarantined`, `repaired` and `rows`, as read; how many of the
            traces scored were `without_output`, and if a scorer reads it `without_input`; and
            `repeated_ids`: the numbers of `ids` that
            stand more than once and of `rows` that carry them, with a few `examples`.
        quarantine: the file of the lines that were set aside, or None.
    """

    path: Place
    summary: pl.DataFrame
    counts: dict[str, Any]
    quarantine: Place | None


def write_scores(
    traces: Frame,
    scorers: Sequence[Scorer],
    out: str | Place,
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
        out: a path or address that ends in `.parquet`, `.jsonl`, `.ndjson` or `.csv`; an
            existing file is replaced.
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
        OutputIsInputError: `out` is one of the files of traces.
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
    table = canonical(traces, log.lose)
    passing = Passing(scorers, keep, long)
    scores = score(
        table.with_columns(**passing.signs),
        scorers,
        keep=(*keep, *passing.signs),
        details=details,
        reasons=reasons,
    )
    writer = writer_for(out, passing.schema(scores))
    require_apart(writer.path, log)
    with Quarantine(writer.path) as quarantine, RepeatedIds() as ids:
        log.on_quarantine = quarantine.add
        with writer:
            frames = frames_of(scores, log)
            passing.run(frames, writer, ids, on_rows or (lambda rows: None))
            require_all(log, passing.rows)
            repeats = ids.find()
            counts = passing.counts(log, repeats)
            writer.finish(metadata_of(scorers, keep, long, suite, log, counts))
    shown = with_examples(counts, lambda: open_scores(out).scores, len(scorers) if long else 1)
    return Written(writer.path, from_tally(passing.tally()), shown, quarantine.written)


def metadata_of(
    scorers: Sequence[Scorer],
    keep: Sequence[str],
    long: bool,
    suite: str,
    log: ReadLog,
    counts: Mapping[str, Any],
) -> dict[str, Any]:
    """What a file of scores tells of itself."""
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
