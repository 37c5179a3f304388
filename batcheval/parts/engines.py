"""Where parts are scored: in this process, or in several of this machine.

An engine is a function. It gets the work, a callable that can be pickled, and the tasks, and yields
each task with what the work has made of it, in any order, as they are done. Tasks are to be taken
as they are needed. What goes to and fro is small: scores go from the worker straight to the disk.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import tee
from typing import TypeAlias

import cloudpickle

from batcheval.errors import BadArgumentError, UnsendableError
from batcheval.parts.job import Task
from batcheval.parts.record import Record
from batcheval.readers.processes import cores, pool

Work: TypeAlias = Callable[[Task], Record]
Engine: TypeAlias = Callable[[Work, Iterable[Task]], Iterator[tuple[Task, Record]]]


def engine_of(engine: str | Engine, workers: int) -> Engine:
    """The engine of a name, or one of somebody's own.

    Raises:
        BadArgumentError: there is none of this name.
    """
    if callable(engine):
        return engine
    if engine == "ray":
        from batcheval.parts.on_ray import ray

        return ray()
    if engine != "local":
        raise BadArgumentError("engine", "'local', 'ray' or a function", engine)
    return local(workers)


def local(workers: int) -> Engine:
    """The engine of this machine.

    Args:
        workers: how many processes; with fewer than two, all is done in this one.
    """
    return partial(_local, workers if workers > 1 else 0)


def _local(workers: int, work: Work, tasks: Iterable[Task]) -> Iterator[tuple[Task, Record]]:
    make = partial(pickle.loads, packed(work)) if workers else lambda: work
    taken, given = tee(tasks)
    with pool(make, workers, threads=max(1, cores() // max(1, workers))) as in_order:
        yield from zip(given, in_order(taken), strict=True)


def packed(work: Work) -> bytes:
    """The work as bytes, for another process.

    Raises:
        UnsendableError: something in it cannot be sent.
    """
    try:
        return cloudpickle.dumps(work)  # type: ignore[no-any-return]
    except Exception as error:  # whatever polars and pickle find in it
        raise UnsendableError(error) from error
