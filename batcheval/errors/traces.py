"""What can be wrong with traces and the files that hold them."""

from collections.abc import Iterable, Sequence

from batcheval.errors.base import BatchevalError, DataError, nearest, quoted


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


class UnreadableFileError(DataError):
    """A file whose bytes are not what they should be: truncated, damaged, another format."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"'{path}' cannot be read: {reason}")


class WorkerDiedError(DataError):
    """A process that was reading a part of the files ended before it was done."""

    def __init__(self, code: int) -> None:
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        super().__init__(f"a worker process ended early ({how}); it may have run out of memory")


class BadLineError(DataError):
    """A line that is no JSON object, where such lines are to end the read."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: bad line: {reason}")


class TooManyBadLinesError(DataError):
    """More bad lines than the caller allows."""

    def __init__(self, bad: int, allowed: str, where: str) -> None:
        super().__init__(f"{bad:,} bad lines, more than the {allowed} allowed; {where}")


class UnknownLayoutError(DataError):
    """A file without any column that a trace could have."""

    def __init__(self, path: str, found: Iterable[str], known: Iterable[str]) -> None:
        super().__init__(
            f"'{path}' holds no traces: its columns are {quoted(list(found)[:20])}; a trace has"
            f" some of {quoted(known)}"
        )


class AmbiguousLayoutError(DataError):
    """A file whose records have the marks of several layouts."""

    def __init__(self, path: str, names: Sequence[str]) -> None:
        super().__init__(
            f"'{path}' may be of the layouts {quoted(names)}: say which with --format"
            f" (in Python format={names[0]!r})"
        )


class BadMappingError(BatchevalError):
    """A mapping file, or a function that reads traces, that is none."""

    def __init__(self, name: str, reason: str, key: str = "", known: Iterable[str] = ()) -> None:
        super().__init__(f"'{name}' cannot be used as a mapping: {reason}{nearest(key, known)}")


class UnknownFormatError(BatchevalError):
    """A layout by a name that none has."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(
            f"no layout is called '{name}'{nearest(name, known)} (batcheval formats lists them all)"
        )


class UnknownTraceError(DataError):
    """No trace has this id."""

    def __init__(self, trace_id: str, known: Sequence[str]) -> None:
        hint = nearest(trace_id, known) or f"; the first is '{known[0]}'" if known else ""
        super().__init__(f"no trace has the id '{trace_id}'{hint}")


class BadPredicateError(BatchevalError):
    """A SQL condition that cannot be read, or does not fit the columns."""

    def __init__(self, sql: str, reason: str) -> None:
        super().__init__(f"the condition {sql!r} cannot be used: {reason}")


class ScoresAsTracesError(UnknownLayoutError):
    """A file of scores where traces are wanted."""

    def __init__(self, path: str) -> None:
        DataError.__init__(self, f"'{path}' holds scores that batcheval wrote, not traces")


class ScoringFailedError(DataError):
    """The scan ended in mid-way: a file is damaged, or an expression failed on its values."""

    def __init__(self, sources: Iterable[str], reason: str) -> None:
        super().__init__(f"scoring {quoted(sources)} stopped: {reason}")
