"""One part, scored into a file of its own."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from batcheval import __version__
from batcheval.engine import of_fitting
from batcheval.output import Quarantine, writer_for
from batcheval.parts.job import Job, Task, sources_of
from batcheval.parts.kept import CountsDifferError, kept_of
from batcheval.parts.record import Record, told
from batcheval.parts.scanning import scan_part
from batcheval.scorer import Scorer
from batcheval.summary import FORMAT_VERSION
from batcheval.writing.passing import Passing
from batcheval.writing.streaming import frames_of


def score_part(job: Job, task: Task) -> Record:
    """Score a part; its file is there whole, or not at all.

    The file depends on the job and the part alone, whichever process makes it.

    Returns:
        What the file tells of itself.

    Raises:
        BatchevalError: as `write_scores`.
    """
    try:
        return _scored(job, task)
    except CountsDifferError:
        return _scored(job, task._replace(old=None))


def _scored(job: Job, task: Task) -> Record:
    log, path = job.log, job.folder / task.name
    table = scan_part(task.part, job.reading, log)
    passing = Passing(job.scorers, job.keep, job.long)
    scores = _scores(job, table, passing, job.scorers)
    schema = passing.schema(scores)
    kept = kept_of(job, task, schema)
    with writer_for(path, schema) as writer:
        with Quarantine(path) as quarantine:  # in its place before the scores are
            log.on_quarantine = quarantine.add
            if kept is None:
                passing.run(frames_of(scores, log), writer)
            elif kept.new:
                frames = frames_of(_scores(job, table, passing, kept.new), log)
                passing.run(kept.joined(frames, list(schema)), writer)
            else:
                quarantine.take(kept.path)
                passing.run(kept.rows(list(schema)), writer)
                passing.signed = {sign: kept.part["signed"][sign] for sign in passing.signed}
        counts = told(log, job.reading.asked)
        if kept is not None:
            counts = kept.told(job, counts if kept.new else kept.part["log"])
        record = _record(job, task, passing, counts)
        writer.finish(record)
    return record


def _scores(
    job: Job, table: pl.LazyFrame, passing: Passing, scorers: Sequence[Scorer]
) -> pl.LazyFrame:
    keep = (*job.keep, *passing.signs)
    signed = table.with_columns(**passing.signs)
    return of_fitting(signed, scorers, keep, job.details, job.reasons)


def _record(job: Job, task: Task, passing: Passing, counts: Record) -> dict[str, Any]:
    return {
        "format_version": FORMAT_VERSION,
        "version": __version__,
        "scorers": [{"id": s.id, "description": s.description} for s in job.scorers],
        "keep": list(job.keep),
        "long": job.long,
        "part": {
            "rows_key": task.rows_key,
            "scorer_keys": dict(job.keys),
            "sources": sources_of(task.part),
            "scored": passing.rows,
            "signed": passing.signed,
            "tally": passing.tally().to_dicts(),
            "log": counts,
        },
    }
