"""What can be wrong with traces and the files that hold them."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from batcheval.errors.base import BatchevalError, DataError, nearest, quoted

__all__ = [
    "AmbiguousTraceError",
    "BadLineError",
    "BadPredicateError",
    "MissingFileError",
    "NoFilesError",
    "NoTasksError",
    "NoTracesError",
    "ScoringFailedError",
    "TooManyBadLinesError",
    "UnknownRunOfTraceError",
    "UnknownTraceError",
    "UnreadableFileError",
    "UnsendableError",
    "WorkerDiedError",
]


class NoFilesError(BatchevalError):
    """A folder or pattern that holds no trace files."""

    def __init__(self, path: str) -> None:
        super().__init__(f"'{path}' names no files that could hold traces")


class MissingFileError(BatchevalError):
    """A file that is not there, or may not be read."""

    def __init__(self, path: str, reason: str = "no such file or folder") -> None:
        super().__init__(f"'{path}': {reason}")


class NoTracesError(DataError):
    """All was read and not one trace found."""

    def __init__(self, sources: Iterable[str], found: str) -> None:
        super().__init__(f"no traces in {quoted(sources)}: {found}")


class NoTasksError(DataError):
    """No run says which task it is of."""

    def __init__(self, runs: int) -> None:
        which = f"none of {runs:,} runs that count has" if runs else "no run counts, so none has"
        super().__init__(f"{which} a 'task_id'")


class UnreadableFileError(DataError):
    """A file whose bytes are not what they should be: truncated, damaged, another format."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"'{path}' cannot be read: {reason}")


class WorkerDiedError(DataError):
    """A process that was reading a part of the files ended before it was done."""

    def __init__(self, code: int) -> None:
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        super().__init__(f"a worker process ended early ({how}); it may have run out of memory")


class UnsendableError(BatchevalError):
    """A scorer that only this process has."""

    def __init__(self, error: Exception) -> None:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        super().__init__(
            f"a scorer cannot be sent to other processes ({reason}): make it by a check, or in a"
            " module, or use one worker"
        )


class BadLineError(DataError):
    """A line that is no JSON object, where such lines are to end the read."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: bad line: {reason}")


class TooManyBadLinesError(DataError):
    """More bad lines than the caller allows."""

    def __init__(self, bad: int, allowed: str, where: str) -> None:
        super().__init__(f"{bad:,} bad lines, more than the {allowed} allowed; {where}")


class UnknownTraceError(DataError):
    """No trace has this id, nor an id that begins so."""

    def __init__(self, trace_id: str, known: Sequence[str]) -> None:
        close = get_close_matches(trace_id, known, n=3)
        first = f"; the first is '{known[0]}'" if known else ""
        hint = f"; near are {quoted(close)}" if len(close) > 1 else nearest(trace_id, close)
        super().__init__(f"no trace has the id '{trace_id}'{hint or first}")


class AmbiguousTraceError(DataError):
    """The beginning of an id is that of several."""

    def __init__(self, start: str, found: Sequence[str]) -> None:
        some = quoted(found[:5]) + (" and others" if len(found) > 5 else "")
        super().__init__(f"the ids of several traces begin with '{start}': {some}")


class UnknownRunOfTraceError(DataError):
    """The trace is there, but not in this run."""

    def __init__(self, trace_id: str, run: str, runs: Sequence[str]) -> None:
        hint = nearest(run, runs) or f"; it is in {quoted(runs)}"
        super().__init__(f"the trace '{trace_id}' is not in the run '{run}'{hint}")


class BadPredicateError(BatchevalError):
    """A SQL condition that cannot be read, or does not fit the columns."""

    def __init__(self, sql: str, reason: str) -> None:
        super().__init__(f"the condition {sql!r} cannot be used: {reason}")


class ScoringFailedError(DataError):
    """The scan ended in mid-way: a file is damaged, or an expression failed on its values."""

    def __init__(self, sources: Iterable[str], reason: str) -> None:
        super().__init__(f"scoring {quoted(sources)} stopped: {reason}")
