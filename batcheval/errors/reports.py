"""What keeps a page from being made."""

from collections.abc import Iterable

from batcheval.errors.base import BatchevalError, quoted


class MissingExtraError(BatchevalError):
    """Packages that only some installations have are not there."""

    def __init__(self, what: str, packages: Iterable[str], extra: str) -> None:
        super().__init__(
            f"{what} needs {quoted(packages)}, not installed: pip install 'batcheval[{extra}]'"
        )


class TakenNameError(BatchevalError):
    """Two files that one command reads or writes have one name."""

    def __init__(self, option: str, path: object) -> None:
        super().__init__(f"{option} '{path}' would take the place of another file of this command")
