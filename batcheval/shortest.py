"""The shortest good run of each task, which `call_efficiency` holds runs against."""

from pathlib import Path

import msgspec
import polars as pl

from batcheval.checks.calls import COUNT
from batcheval.output.replacement import Replacement
from batcheval.schema import Frame, canonical
from batcheval.selection import where


def shortest(traces: Frame, condition: str | None = None) -> dict[str, int]:
    """How many calls the shortest run of each task made.

    Args:
        traces: of one run or of many; those without a `task_id` are left out.
        condition: in SQL, of the runs that count, such as `metadata.reward = '1.0'`; None for all.

    Raises:
        BadPredicateError: it is no condition over the columns that there are.
        MissingColumnsError: it reads a column that the traces lack.

    Example:
        >>> calls = [{"name": "search", "state": "ok"}] * 3
        >>> runs = pl.DataFrame({"task_id": ["a", "a"], "tool_calls": [calls, calls[:2]]})
        >>> shortest(runs)
        {'a': 2}
    """
    good = canonical(traces) if condition is None else where(traces, condition)
    tasks = good.select("task_id", calls=COUNT).drop_nulls()
    table = tasks.group_by("task_id").agg(pl.col("calls").min()).sort("task_id")
    found = table.collect(engine="streaming")
    return dict(zip(found["task_id"].to_list(), found["calls"].to_list(), strict=True))


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
