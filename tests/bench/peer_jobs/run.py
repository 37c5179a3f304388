"""One check of one peer, in a process of its own: prints its cost and its first values as JSON.

    python run.py ROWS COUNT MODULE JOB

A job takes rows and gives back the work on them: whatever it prepares before, texts or test cases
in the peer's own form, costs nothing. A first row is done before the clock starts, so that what a
peer imports late and compiles costs nothing either.
"""

import json
import math
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

VALUES = 200  # that are compared

Row = dict[str, Any]
Job = Callable[[list[Row]], Callable[[], Sequence[Any]]]


def measure(job: Job, rows: list[Row]) -> dict[str, Any]:
    """CPU seconds of the job on the rows, how many they are, and the first values."""
    job(rows[:1])()
    work = job(rows)
    started = time.process_time()
    values = work()
    used = time.process_time() - started
    return {"cpu": used, "rows": len(rows), "values": [number(one) for one in values[:VALUES]]}


def number(value: Any) -> float | None:
    if value is None or math.isnan(value):
        return None
    return float(value)


def main(file: str, count: str, module: str, name: str) -> None:
    job: Job = import_module(module).JOBS[name]
    with Path(file).open("rb") as lines:
        rows = [json.loads(line) for line in islice(lines, int(count))]
    print(json.dumps(measure(job, rows)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
