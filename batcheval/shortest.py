"""The shortest good run of each task, which `call_efficiency` holds runs against."""

from pathlib import Path
from typing import NamedTuple

import msgspec
import polars as pl

from batcheval.checks.calls import COUNT
from batcheval.errors import NoTasksError
from batcheval.output.replacement import Replacement
from batcheval.schema import Frame, canonical
from batcheval.selection import where


class Shortest(NamedTuple):
    """The shortest runs.

    Attributes:
        calls: how many the shortest run of each task made, by its `task_id`.
        taskless: how many runs count but have no `task_id`, and so were left out.
    """

    calls: dict[str, int]
    taskless: int


def shortest(traces: Frame, condition: str | None = None) -> Shortest:
    """How many calls the shortest run of each task made.

    Args:
        traces: of one run or of many.
        condition: in SQL, of the runs that count, such as `metadata.reward = '1.0'`; None for all.

    Raises:
        BadPredicateError: it is no condition over the columns that there are.
        MissingColumnsError: it reads a column that the traces lack.
        NoTasksError: no run that counts has a `task_id`.

    Example:
        >>> calls = [{"name": "search", "state": "ok"}] * 3
        >>> runs = pl.DataFrame({"task_id": ["a", "a"], "tool_calls": [calls, calls[:2]]})
        >>> shortest(runs).calls
        {'a': 2}
    """
    good = canonical(traces) if condition is None else where(traces, condition)
    tasks = good.select("task_id", calls=COUNT).group_by("task_id")
    table = tasks.agg(pl.col("calls").min(), runs=pl.len()).sort("task_id")
    found = table.collect(engine="streaming")
    named = found.drop_nulls("task_id")
    calls = dict(zip(named["task_id"].to_list(), named["calls"].to_list(), strict=True))
    runs = int(found["runs"].sum())
    if not calls:
        raise NoTasksError(runs)
    return Shortest(calls, runs - int(named["runs"].sum()))


def write_shortest(found: dict[str, int], out: Path | str) -> None:
    """Write the table as JSON, whole or not at all.

    Raises:
        UnwritablePathError: no file can stand there.
    """
    replacement = Replacement(Path(out))
    file = replacement.open()
    try:
        file.write(msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
        replacement.commit()
    except BaseException:
        replacement.discard()
        raise
