"""A process that works for this one: tasks go to it, and results come back, through pipes.

Other than those of `multiprocessing` it never runs the caller's main module again, so that a script
needs no guard.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any, Final, Generic, TypeVar

from batcheval.errors import WorkerDiedError

Task = TypeVar("Task")
Result = TypeVar("Result")

_SERVE: Final = "from batcheval.readers.workers import serve; serve()"
_OWNER: Final = "BATCHEVAL_WORKER_OF"  # the process that a worker works for


def is_worker() -> bool:
    """Whether this process is a worker, which starts no more of them."""
    return _OWNER in os.environ


def worker_settings(threads: int) -> dict[str, str]:
    """What the environment of a worker tells it: our modules, polars' threads, that it is one."""
    return {
        "PYTHONPATH": os.pathsep.join(str(Path(path).absolute()) for path in sys.path),
        "POLARS_MAX_THREADS": str(threads),
        _OWNER: str(os.getpid()),
    }


class Worker(Generic[Task, Result]):
    """A process that does one task after another."""

    def __init__(self, make: Callable[[], Callable[[Task], Result]], threads: int = 1) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SERVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            process_group=0 if os.name == "posix" else None,  # Ctrl-C is for the first process
            env={**os.environ, **worker_settings(threads)},
        )
        self._first: Any = make

    def do(self, task: Task) -> Result:
        """The result of a task."""
        tasks, results = self._process.stdin, self._process.stdout
        assert tasks is not None
        assert results is not None
        try:
            if self._first is not None:
                pickle.dump(self._first, tasks, protocol=pickle.HIGHEST_PROTOCOL)
                self._first = None
            pickle.dump(task, tasks, protocol=pickle.HIGHEST_PROTOCOL)
            tasks.flush()
            is_done, result = pickle.load(results)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            raise WorkerDiedError(self._process.wait()) from error
        if not is_done:
            raise result
        return result  # type: ignore[no-any-return]

    def stop(self) -> None:
        """End the process, whatever it is at."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                pipe and pipe.close()


def serve() -> None:
    """Do the tasks that come through standard input, until it ends."""
    Thread(target=_end_with, args=(int(os.environ[_OWNER]),), daemon=True).start()
    tasks, results = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what somebody's function prints is no result
    work = None
    with suppress(EOFError, BrokenPipeError):
        while True:
            task = pickle.load(tasks)
            try:
                if work is None:
                    work = task()
                    continue
                result = (True, work(task))
            except Exception as error:
                result = (False, _sendable(error))
            pickle.dump(result, results, protocol=pickle.HIGHEST_PROTOCOL)
            results.flush()


def _end_with(owner: int) -> None:
    """End, whatever is being done, when the process that it is done for is no more."""
    while os.getppid() == owner:
        sleep(1)
    os._exit(1)


def _sendable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # its own arguments are not those that it hands to Exception
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
