"""The parts that are not yet done, given to an engine."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial

from batcheval.errors import BatchevalError, OtherScoresError, TornTraceError
from batcheval.interrupts import heard
from batcheval.parts.definitions import key_of
from batcheval.parts.engines import Engine
from batcheval.parts.folder import Folder
from batcheval.parts.gathering import Done
from batcheval.parts.job import Job, Task
from batcheval.parts.measuring import measured
from batcheval.parts.part import Parts
from batcheval.parts.record import Record
from batcheval.parts.work import score_part


def all_scored(
    job: Job,
    parts: Parts,
    engine: Engine,
    folder: Folder,
    on_bytes: Callable[[int], None],
    stays: bool,
) -> list[Done]:
    """Score the parts that are not yet in the folder; those that are come with them.

    Where a trace turns out to lie in several parts, these are brought together.

    `stays` tells whether the folder does, if the run ends early.
    """
    done: list[Done] = []
    mark = key_of(job.key, sorted(parts.log.sources))
    if folder.is_marked(mark):
        parts = parts.brought_together()
    try:
        _score_left(job, parts, engine, folder, done, on_bytes, stays)
    except TornTraceError:
        folder.mark(mark)
        on_bytes(-sum(one.task.part.size for one in done))
        done.clear()
        _score_left(job, parts.brought_together(), engine, folder, done, on_bytes, stays)
    return done


def _score_left(
    job: Job,
    parts: Parts,
    engine: Engine,
    folder: Folder,
    done: list[Done],
    on_bytes: Callable[[int], None],
    stays: bool,
) -> None:
    folder.require_room(len(parts.parts))

    def left() -> Iterator[Task]:
        for part in measured(parts.parts):
            task = Task.of(job, part)
            if (record := folder.record_of(task)) is None:
                yield task._replace(old=folder.old(task))
            else:
                take(task, record)

    def take(task: Task, record: Record) -> None:
        done.append(Done(task, record))
        on_bytes(task.part.size)

    with _telling_what_stays(done, len(parts.parts)) if stays else nullcontext():
        for task, record in engine(partial(score_part, job), left()):
            take(task, record)


@contextmanager
def _telling_what_stays(done: Sequence[Done], total: int) -> Iterator[None]:
    """Say of whatever ends a run into a folder what is left of it."""
    try:
        yield
    except BaseException as error:
        stays = f"{len(done)} of {total} parts are done, and the same command goes on from there"
        if heard() or isinstance(error, KeyboardInterrupt):
            raise KeyboardInterrupt(f"interrupted; {stays}") from error
        if isinstance(error, BatchevalError) and not isinstance(error, OtherScoresError):
            error.args = (f"{error}; {stays}",)
        raise
