"""What the parts have told, put together; their rows, if asked, in one file."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple

import polars as pl

from batcheval.errors import NothingReadError
from batcheval.output import Quarantine, writer_for
from batcheval.parts.folder import Folder
from batcheval.parts.job import Job, Task
from batcheval.parts.manifest import manifest_of
from batcheval.parts.record import Record, add
from batcheval.readers import ReadLog
from batcheval.repeats import RepeatedIds
from batcheval.repeats.records import KEY
from batcheval.stores import Place
from batcheval.summary import from_tally, merge, open_scores
from batcheval.summary.tallies import TALLY
from batcheval.writing import Written
from batcheval.writing.apart import require_apart
from batcheval.writing.counts import with_examples
from batcheval.writing.passing import Passing, require_all
from batcheval.writing.streaming import counted, frames_of
from batcheval.writing.write import metadata_of


class Done(NamedTuple):
    """A task, and what has come of it."""

    task: Task
    record: Record


def in_order(done: Iterable[Done]) -> list[Done]:
    """The parts in the order of their rows, whichever was done first."""
    return sorted(done, key=lambda one: one.task.part.number)


def into_folder(
    job: Job, looked: ReadLog, suite: str, folder: Folder, done: Sequence[Done]
) -> Written:
    """Let the parts lie where they are, and say beside them what they come to."""
    log, signed = _log(looked, done, job.reading.is_told), _signed(done)
    rows = sum(one.record["part"]["scored"] for one in done)
    require_all(log, rows)
    a_trace = len(job.scorers) if job.long else 1
    with RepeatedIds() as ids:
        for one in done:
            found = pl.read_parquet(folder.path / one.task.name, columns=list(KEY), glob=False)
            ids.add(found.gather_every(a_trace))
        repeats = ids.find()
    counts = counted(log, rows, signed["without_output"], repeats) | signed
    about = metadata_of(job.scorers, job.keep, job.long, suite, log, counts)
    folder.finish([one.task.name for one in done], manifest_of(about, job, done))
    tally = merge(pl.DataFrame(one.record["part"]["tally"], schema=TALLY) for one in done)
    shown = with_examples(counts, lambda: open_scores(folder.path).scores, a_trace)
    aside = folder.path / "*.quarantine.jsonl" if log.quarantined else None
    return Written(folder.path, from_tally(tally), shown, aside)


def into_file(
    out: Place, job: Job, looked: ReadLog, suite: str, folder: Folder, done: Sequence[Done]
) -> Written:
    """Put the parts together in one file, the same as if there had been none."""
    log = _log(looked, done, job.reading.is_told)
    require_apart(out, log)
    paths = [folder.path / one.task.name for one in done]
    scores = pl.scan_parquet(paths, glob=False)
    passing = Passing(job.scorers, job.keep, job.long)
    passing.signed = _signed(done)
    with Quarantine(out) as quarantine, RepeatedIds() as ids:
        for path in paths:
            quarantine.take(path)
        with writer_for(out, passing.schema(scores)) as writer:
            passing.run(frames_of(scores, log), writer, ids)
            require_all(log, passing.rows)
            counts = passing.counts(log, ids.find())
            writer.finish(metadata_of(job.scorers, job.keep, job.long, suite, log, counts))
    a_trace = len(job.scorers) if job.long else 1
    shown = with_examples(counts, lambda: open_scores(out).scores, a_trace)
    return Written(out, from_tally(passing.tally()), shown, quarantine.written)


def _log(looked: ReadLog, done: Sequence[Done], is_told: bool) -> ReadLog:
    """The log of the whole: what looking at the files has told, and what reading them has.

    Raises:
        NothingReadError: somebody said which layout the files have, and no record is of it.
    """
    log = copy(looked)
    log.table_rows = log.table_blank = 0
    log.said, log.copies = {}, []
    log.lost_columns, log.unseen = set(), set(looked.unseen)
    log.restart()
    for one in done:
        add(log, one.record["part"]["log"])
    if is_told and 0 < log.records == log.idle:
        raise NothingReadError(log.sources[:5], next(iter(log.layouts.values())), log.records)
    return log


def _signed(done: Sequence[Done]) -> dict[str, int]:
    signed: dict[str, int] = {}
    parts: Iterable[Mapping[str, Any]] = (one.record["part"]["signed"] for one in done)
    for part in parts:
        signed = {sign: signed.get(sign, 0) + count for sign, count in part.items()}
    return signed
