"""What can be wrong with files of scores, read or written."""

from collections.abc import Iterable

from batcheval.errors.base import BatchevalError, DataError, nearest, quoted

__all__ = [
    "BusyFolderError",
    "ExistingFileError",
    "NotCanonicalError",
    "NotScoresError",
    "OtherScoresError",
    "OutputIsInputError",
    "SpillFailedError",
    "TakenColumnError",
    "UnknownEndingError",
    "UnknownScorerError",
    "UnwritablePathError",
    "WriteFailedError",
]


class UnknownScorerError(BatchevalError):
    """No scorer of these scores goes by this name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        names = list(known)
        hint = nearest(name, names) or f"; they have {quoted(names)}"
        super().__init__(f"the scores have no scorer '{name}'{hint}")


class BusyFolderError(BatchevalError):
    """Another run writes into the folder."""

    def __init__(self, folder: object) -> None:
        super().__init__(f"'{folder}' is being written by another run")


class OtherScoresError(BatchevalError):
    """The parts in a folder are not of this run."""

    def __init__(self, folder: object, differs: str) -> None:
        super().__init__(
            f"'{folder}' holds scores of {differs}: give --update, which scores anew what has"
            " changed and nothing else, or another folder"
        )


class NotScoresError(DataError):
    """A file or frame that can be read, but holds no scores."""

    def __init__(self, what: str, found: str) -> None:
        super().__init__(f"{what} holds no scores: {found}")


class ExistingFileError(BatchevalError):
    """A file stands where one is to be written, and may be replaced only if somebody says so."""

    def __init__(self, path: object, way: str = "--append or --overwrite") -> None:
        super().__init__(f"'{path}' is there already: give {way}")


class NotCanonicalError(DataError):
    """A file to append traces to that holds something else."""

    def __init__(self, path: object, reason: str) -> None:
        super().__init__(f"'{path}' holds no canonical table to append to: {reason}")


class UnknownEndingError(BatchevalError):
    """The name of an output file does not tell its format."""

    def __init__(self, path: object) -> None:
        super().__init__(
            f"'{path}' cannot be written: its name must end in '.parquet', '.jsonl' or '.csv'"
        )


class UnwritablePathError(BatchevalError):
    """No file can be written under this path."""

    def __init__(self, path: object, reason: str) -> None:
        super().__init__(f"'{path}' cannot be written: {reason}")


class WriteFailedError(BatchevalError):
    """The disk is full or failing; what stood under the name before still stands."""

    exit_code = 3

    def __init__(self, path: object, error: OSError) -> None:
        reason = (error.strerror or str(error)).lower()
        super().__init__(f"writing '{path}' failed: {reason}; no part of it was kept")


class TakenColumnError(BatchevalError):
    """A kept column has the name of a column that the long form makes."""

    def __init__(self, name: str) -> None:
        super().__init__(f"'{name}' cannot be kept: the long form has a column of that name")


class SpillFailedError(BatchevalError):
    """A temporary file for what does not fit in memory cannot be written or read."""

    exit_code = 3

    def __init__(self, folder: object, error: OSError) -> None:
        reason = (error.strerror or str(error)).lower()
        super().__init__(
            f"the temporary file in '{folder}' failed: {reason}; TMPDIR names another folder"
        )


class OutputIsInputError(BatchevalError):
    """What is written would take the place of what is read."""

    def __init__(self, path: object) -> None:
        super().__init__(f"'{path}' is one of the files that are read; give another name")
