"""What scoring a dump will take, told from its parts and a sample of its traces."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from time import process_time
from typing import Final

import polars as pl

from batcheval.costing import Cost, measure, measure_together
from batcheval.output import GROUP_ROWS
from batcheval.parts.part import Parts
from batcheval.schema import CANONICAL, IDENTITY, canonical, root
from batcheval.scorer import Scorer

_SAMPLE: Final = 2_000  # traces


@dataclass(frozen=True)
class Outlook:
    """What is to be expected.

    Attributes:
        parts: the parts.
        traces: how many there are, about; exactly in tables.
        columns: those of the traces that are read.
        costs: of each scorer.
        reading: CPU seconds for reading all traces.
        scoring: CPU seconds for scoring them, work that scorers share done once.
        memory: bytes that each process takes, about.
        workers: how many processes there are to be.
    """

    parts: Parts
    traces: int
    columns: tuple[str, ...]
    costs: tuple[Cost, ...]
    reading: float
    scoring: float
    memory: int
    workers: int

    @property
    def seconds(self) -> float:
        """How long it takes, if each process has a core."""
        return (self.reading + self.scoring) / max(1, self.workers)


def look_ahead(
    parts: Parts, scorers: Sequence[Scorer], keep: Sequence[str] = (), workers: int = 1
) -> Outlook:
    """Measure the scorers on the first traces, and tell what all of them will take.

    Args:
        parts: as `plan_parts` gives them.
        scorers: as for `score`.
        keep: as for `score`.
        workers: how many processes there are to be.

    Raises:
        BatchevalError: as `score`.

    Example:
        >>> from batcheval import checks, plan_parts
        >>> parts = plan_parts("sample_traces/support_agent.parquet")
        >>> outlook = look_ahead(parts, [checks.used_no_tools()])
        >>> outlook.traces, 'tool_calls' in outlook.columns
        (300, True)
    """
    asked = {*IDENTITY, *keep, "output", *(name for one in scorers for name in one.columns)}
    columns = {root(name, parts.reading.columns) for name in asked}
    log, passed = parts.log, list[int]()
    log.on_bytes, log.max_bad_lines = passed.append, None
    log.restart()
    start = process_time()
    known = columns & (CANONICAL.keys() | parts.reading.columns.keys())
    sample = canonical(parts.traces).select(sorted(known)).head(_SAMPLE).collect()
    taken = process_time() - start
    traces = _traces(parts, sample.height, sum(passed))
    share = traces / max(1, sample.height, log.rows - log.table_rows)
    together = measure_together(scorers, sample)
    return Outlook(
        parts=parts,
        traces=traces,
        columns=tuple(sorted(columns)),
        costs=tuple(measure(scorers, sample)),
        reading=taken * share,
        scoring=traces / together.rows_per_second,
        memory=_memory(sample),
        workers=workers,
    )


def _traces(parts: Parts, sampled: int, passed: int) -> int:
    """How many traces there are, taking those of records to be as long as the first."""
    log = parts.log
    if log.table_rows or not log.record_bytes:
        return log.table_rows
    if not passed or passed >= parts.size:
        return max(sampled, log.rows)
    return round(log.rows * parts.size / passed)


def _memory(sample: pl.DataFrame) -> int:
    """What is taken now, and two groups of rows: one that is read, one that is written."""
    group = sample.estimated_size() / max(1, sample.height) * GROUP_ROWS
    return _taken() + round(2 * group)


def _taken() -> int:
    if sys.platform == "win32":
        return 0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
