"""Parts scored on a Ray cluster: the same parts, the same bytes, whichever node makes them.

Ray gives the tasks of a node or a process that is lost to others. Scores go from the workers
straight into the folder, which all nodes must see; only small records pass the driver.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from logging import ERROR
from typing import Any, Final

import cloudpickle

from batcheval.errors import ClusterError, LackingNodeError, LostPartError, MissingExtraError
from batcheval.parts.engines import Engine, Work, packed
from batcheval.parts.job import Task
from batcheval.parts.record import Record
from batcheval.readers.workers import worker_settings

RETRIES: Final = 3  # of a part whose process or node was lost
AHEAD: Final = 2  # tasks a processor that the cluster holds at a time


def ray(address: str | None = None) -> Engine:
    """The engine of a Ray cluster, a part a processor; needs the extra `batcheval[ray]`.

    A part whose process or node is lost is scored again elsewhere, up to `RETRIES` times. The
    nodes need batcheval, the modules of checks of one's own, and the paths of the dump and of the
    scores, all as they are here.

    Args:
        address: of the cluster, as `ray.init` takes it; by default the one that `RAY_ADDRESS`
            names, else one that is started on this machine and ended with the run.

    Raises:
        MissingExtraError: Ray is not installed.
        ClusterError: there is no cluster at the address.

    Example:
        >>> from batcheval.parts.on_ray import ray
        >>> engine = ray("auto")  # `score_parts(parts, scorers, "scores/", engine=engine)`
    """
    return partial(_on_ray, address)


def _on_ray(
    address: str | None, work: Work, tasks: Iterable[Task]
) -> Iterator[tuple[Task, Record]]:
    sent = packed(work)
    with _cluster(address) as cluster:
        remote = cluster.remote(max_retries=RETRIES, num_cpus=1)(_scored)
        shared = cluster.put(sent)
        most = max(1, int(cluster.cluster_resources().get("CPU", 1))) * AHEAD
        running: dict[Any, Task] = {}
        try:
            for task in tasks:
                running[remote.remote(shared, task)] = task
                if len(running) >= most:
                    yield from _finished(cluster, running)
            while running:
                yield from _finished(cluster, running)
        finally:
            for left in running:
                cluster.cancel(left, force=True)


def _finished(cluster: Any, running: dict[Any, Task]) -> Iterator[tuple[Task, Record]]:
    """At least one task that is done, and whatever else is."""
    done, _ = cluster.wait(list(running), num_returns=1)
    for reference in done:
        task = running.pop(reference)
        try:
            yield task, cluster.get(reference)
        except cluster.exceptions.RayTaskError as error:
            raise _cause(error) from error
        except cluster.exceptions.RayError as error:
            raise LostPartError(task.part.number, RETRIES + 1, error) from error


def _cause(error: Any) -> BaseException:
    """What the work itself has raised, which Ray wraps."""
    cause: BaseException = error.cause
    return LackingNodeError(cause) if isinstance(cause, ImportError) else cause


def _scored(work: bytes, task: Task) -> Record:
    """What a worker does: module-level, so that Ray sends its name only."""
    return _unpacked(work)(task)


@lru_cache(maxsize=1)
def _unpacked(work: bytes) -> Work:
    return cloudpickle.loads(work)  # type: ignore[no-any-return]


@contextmanager
def _cluster(address: str | None) -> Iterator[Any]:
    """The module `ray`, connected: as it was, where the caller is connected already."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing about the run leaves it
    try:
        import ray as cluster
    except ImportError as error:
        raise MissingExtraError("the engine 'ray'", ["ray"], "ray") from error
    if cluster.is_initialized():
        yield cluster
        return
    settings: dict[str, Any] = {"runtime_env": {"env_vars": worker_settings(threads=1)}}
    if address is None and "RAY_ADDRESS" not in os.environ:
        settings["include_dashboard"] = False
    try:
        cluster.init(address, log_to_driver=False, logging_level=ERROR, **settings)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ClusterError(address, error) from error
    try:
        yield cluster
    finally:
        cluster.shutdown()
