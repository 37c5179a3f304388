"""What keeps a page from being made."""

from collections.abc import Iterable

from batcheval.errors.base import BatchevalError, quoted

__all__ = [
    "MissingExtraError",
    "WrongEndingError",
]


class MissingExtraError(BatchevalError):
    """Packages that only some installations have are not there."""

    def __init__(self, what: str, packages: Iterable[str], extra: str) -> None:
        super().__init__(
            f"{what} needs {quoted(packages)}, not installed: pip install 'batcheval[{extra}]'"
        )


class WrongEndingError(BatchevalError):
    """A file would be written under a name that files of another kind have."""

    def __init__(self, path: object, option: str, endings: Iterable[str]) -> None:
        super().__init__(f"{option} '{path}' does not end in {quoted(endings)}")
