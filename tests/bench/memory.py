"""What a process and those that it has started hold in memory, looked at again and again."""

import os
from pathlib import Path
from threading import Event, Thread

_PAUSE = 0.05  # seconds


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


def sizes_below(first: str) -> list[float]:
    """The resident megabytes of a process and of all that it has started, and these in turn."""
    facts = dict(filter(None, map(_facts, Path("/proc").glob("[0-9]*"))))
    found = {first}
    while more := {process for process, (parent, _) in facts.items() if parent in found} - found:
        found |= more
    return [facts[process][1] for process in found if process in facts] or [0.0]


def _facts(process: Path) -> tuple[str, tuple[str, float]] | None:
    try:
        lines = (process / "status").read_text().splitlines()
    except OSError:  # it has ended
        return None
    told = dict(line.split(":", 1) for line in lines if ":" in line)
    size = int(told.get("VmRSS", "0").split()[0]) / 1024
    return process.name, (told["PPid"].strip(), size)
