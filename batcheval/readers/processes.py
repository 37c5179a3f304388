"""Work over several processes: results in the order of the tasks, few of them in memory."""

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from queue import SimpleQueue
from typing import Final, TypeAlias

from batcheval.readers.workers import Result, Task, Worker, is_worker

Make: TypeAlias = Callable[[], Callable[[Task], Result]]
Pool: TypeAlias = Callable[[Iterable[Task]], Iterator[Result]]

_LARGE: Final = 64 << 20  # bytes of files; below it, starting workers costs more than they save


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def workers_for(size: int) -> int:
    """How many worker processes reading so many bytes is worth; 0 for none, as in one of them."""
    is_worth = cores() > 1 and size >= _LARGE and not is_worker() and sys.executable
    return cores() if is_worth else 0


@contextmanager
def pool(make: Make[Task, Result], workers: int, threads: int = 1) -> Iterator[Pool[Task, Result]]:
    """What gives the results of tasks in their order, whichever process is done first.

    Tasks are taken as they are needed: at most two a worker are in memory, with their results. At
    the end what is left is dropped, and the workers are ended.

    Args:
        make: gives the function that a process applies to its tasks. With workers, it, the tasks
            and the results are pickled.
        workers: how many processes; 0 works in this one.
        threads: of polars, in each of them.

    Raises:
        WorkerDiedError: a worker ended before its task did.

    Example:
        >>> from functools import partial
        >>> with pool(partial(partial, divmod, 7), workers=0) as in_order:
        ...     list(in_order([2, 3]))
        [(3, 1), (2, 1)]
    """
    if workers < 1:
        work = make()
        yield lambda tasks: map(work, tasks)
        return
    with ExitStack() as stack:
        waiters = stack.enter_context(ThreadPoolExecutor(workers, "batcheval-worker"))
        idle: SimpleQueue[Worker[Task, Result]] = SimpleQueue()
        for _ in range(workers):
            worker = Worker[Task, Result](make, threads)
            stack.callback(worker.stop)
            idle.put(worker)
        waiting: deque[Future[Result]] = deque()
        stack.callback(lambda: [future.cancel() for future in waiting])

        def done(task: Task) -> Result:
            worker = idle.get()
            try:
                return worker.do(task)
            finally:
                idle.put(worker)

        def in_order(tasks: Iterable[Task]) -> Iterator[Result]:
            for task in tasks:
                waiting.append(waiters.submit(done, task))
                if len(waiting) >= 2 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

        yield in_order
