"""What is wrong with the layout of traces, or with a mapping to it."""

from collections.abc import Iterable, Sequence

from batcheval.errors.base import BatchevalError, DataError, nearest, quoted

__all__ = [
    "AmbiguousLayoutError",
    "BadMappingError",
    "NothingReadError",
    "ScoresAsTracesError",
    "TornTraceError",
    "UnknownFormatError",
    "UnknownLayoutError",
    "WrongFormatError",
]


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


class WrongFormatError(UnknownLayoutError):
    """A file that is not of the layout it was said to be of."""

    def __init__(self, path: str, name: str, likely: str | None) -> None:
        instead = f"they look like '{likely}'" if likely else "they look like no layout we know"
        DataError.__init__(
            self, f"'{path}' is not of the layout '{name}', by its first records: {instead}"
        )


class NothingReadError(DataError):
    """Files whose records are all of no interest to the layout that they were said to be of."""

    def __init__(self, paths: Sequence[str], name: str, records: int) -> None:
        super().__init__(
            f"nothing in {quoted(paths)} is of the layout '{name}': none of {records:,} records is"
            " part of a trace; without --format the layout is looked for"
        )


class TornTraceError(DataError):
    """Files were to be read apart from others, and have pieces of traces that may go on there."""

    def __init__(self, source: str, line: int) -> None:
        super().__init__(
            f"{source}:{line} begins a trace that may go on in another record or file, unlike those"
            " before it"
        )


class ScoresAsTracesError(UnknownLayoutError):
    """A file of scores where traces are wanted."""

    def __init__(self, path: str) -> None:
        DataError.__init__(self, f"'{path}' holds scores that batcheval wrote, not traces")
