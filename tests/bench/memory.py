"""What a process and those that it has started hold in memory, looked at again and again."""

import os
from pathlib import Path
from threading import Event, Thread

_PAUSE = 0.2  # seconds


class Memory:
    """Watches, in a thread, this process and all below it.

    Attributes:
        total: the most megabytes at a time that were resident in all of them, what they share
            counted for each.
        largest: the most in one of them.
    """

    def __init__(self) -> None:
        self.total = self.largest = 0.0
        self._ended = Event()
        self._thread = Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Memory":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while True:
            sizes = sizes_below(str(os.getpid()))
            self.total, self.largest = max(self.total, sum(sizes)), max(self.largest, *sizes)
            if self._ended.wait(_PAUSE):
                return


def sizes_below(process: str) -> list[float]:
    """The resident megabytes of a process and of all that it has started, and these in turn."""
    try:
        lines = Path("/proc", process, "status").read_text().splitlines()
        tasks = Path("/proc", process, "task").glob("*/children")
        children = [child for task in tasks for child in task.read_text().split()]
    except OSError:  # it has ended
        return [0.0]
    sizes = [int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")]
    return sizes + [size for child in children for size in sizes_below(child)]
