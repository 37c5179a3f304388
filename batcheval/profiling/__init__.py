"""What is in a dump: counts over all traces, in one pass."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from batcheval.errors import NoTracesError
from batcheval.profiling.parts import Parts
from batcheval.readers import ReadLog
from batcheval.repeats import RepeatedIds
from batcheval.schema import IDENTITY, Frame, canonical
from batcheval.writing.streaming import counted, frames_of, what_there_was

__all__ = ["profile"]


def profile(
    traces: Frame, log: ReadLog | None = None, on_rows: Callable[[int], None] | None = None
) -> dict[str, Any]:
    """Count what a dump holds, streaming.

    Args:
        traces: as for `score`.
        log: the one given to `read_traces`, so that lines, layouts and repairs are told too.
        on_rows: told how many more rows have been looked at.

    Returns:
        `traces`; `files`, `runs` and `models` (a list of `{"name", "traces"}` each); `tools` (of
        `{"name", "calls", "errors", "traces"}`), all by falling count; `states` of calls; `lengths`
        of inputs, outputs and calls (`min`, `median` to two digits, `mean`, `max`); the numbers of
        traces `without_input`, `without_output`, `without_calls`, `failed`, `with_expected`,
        `with_expected_calls` and `with_zero_id` (an id of zeros is how spans say that they have
        none); `unpaired`: `results` whose call is missing, `calls` that have no result; sums of
        tokens and cost; `started_at` from and to; `layouts` (of `{"name", "files"}`); and `read`,
        the counts of the read, with repeated ids, repairs and quarantined lines.

    Raises:
        NoTracesError: files were read, and there is no trace in them.

    Example:
        >>> import polars as pl
        >>> found = profile(pl.DataFrame({"trace_id": ["a", "b"], "model": ["m", "m"]}))
        >>> found["traces"], found["models"]
        (2, [{'name': 'm', 'traces': 2}])
    """
    log = ReadLog() if log is None else log
    log.restart()
    parts = Parts()
    with RepeatedIds() as ids:
        for frame in frames_of(canonical(traces, log.lose), log):
            parts.add(frame)
            ids.add(frame.select(IDENTITY))
            if on_rows is not None:
                on_rows(frame.height)
        log.close()
        facts = parts.facts()
        if log.sources and not facts["traces"]:
            raise NoTracesError(log.sources, what_there_was(log))
        read = counted(log, facts["traces"], facts["without_output"], ids.find())
    calls = facts.pop("calls_without_result")
    facts["unpaired"] = {"results": log.unpaired, "calls": calls}
    return {**facts, "layouts": _layouts(log), "read": read}


def _layouts(log: ReadLog) -> list[dict[str, Any]]:
    """The layouts of the files; what has no other is of the native one."""
    files = Counter(log.layouts.get(name, "native") for name in log.sources)
    return [{"name": name, "files": number} for name, number in files.most_common()]
