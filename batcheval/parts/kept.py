"""Earlier scores of the same rows, of which the columns stay whose scorers are what they were."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from batcheval.parts.job import Job, Task
from batcheval.parts.record import Record, record_at
from batcheval.scorer import Scorer


class CountsDifferError(Exception):
    """Values were repaired: how many, depends on all columns that are read."""


@dataclass(frozen=True)
class Kept:
    """What stays of a file of earlier scores.

    Attributes:
        path: the file.
        part: what it tells of itself.
        columns: those that stay.
        new: the scorers that score now.
    """

    path: Path
    part: Record
    columns: list[str]
    new: list[Scorer]

    def joined(
        self, frames: Iterable[pl.DataFrame], order: Sequence[str]
    ) -> Iterator[pl.DataFrame]:
        """New scores, the old ones beside them, in an order of columns and what comes behind."""
        old = pl.read_parquet(self.path, columns=self.columns, glob=False)
        at = 0
        for frame in frames:
            both = frame.hstack(old[at : at + frame.height])
            yield both.select(*order, pl.exclude(order))
            at += frame.height

    def rows(self, order: Sequence[str]) -> Iterator[pl.DataFrame]:
        """The old scores alone."""
        yield pl.read_parquet(self.path, columns=list(order), glob=False)

    def told(self, job: Job, log: Record) -> Record:
        """What the log of the part tells, had it been read for all scorers.

        Raises:
            CountsDifferError: this is not known.
        """
        if log["repaired"]:
            raise CountsDifferError
        old = self.part["log"]
        found = {*log["found"], *old["found"]} & job.reading.asked
        calls = any("tool_calls" in scorer.columns for scorer in job.scorers)
        tools = (log["tools"] or old["tools"]) if calls else None
        return {**log, "found": sorted(found), "tools": tools}


def kept_of(job: Job, task: Task, schema: pl.Schema) -> Kept | None:
    """What stays of the earlier scores that a task has; None if nothing does.

    Args:
        job: what is asked.
        task: which part.
        schema: of the scores that are to be written.
    """
    record = None if task.old is None or job.long else record_at(task.old)
    if task.old is None or record is None or record["part"]["log"]["repaired"]:
        return None
    part, old = record["part"], pl.read_parquet_schema(task.old)
    columns: list[str] = []
    new: list[Scorer] = []
    for scorer in job.scorers:
        made = [
            n for n in (scorer.id, f"{scorer.id}_details", f"{scorer.id}_reason") if n in schema
        ]
        is_same = part["scorer_keys"].get(scorer.id) == job.keys[scorer.id]
        if is_same and all(old.get(name) == schema[name] for name in made):
            columns += made
        else:
            new.append(scorer)
    return Kept(task.old, part, columns, new) if columns else None
