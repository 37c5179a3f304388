"""What can be wrong with files in object stores and on web servers."""

from collections.abc import Iterable

from batcheval.errors.base import BatchevalError, DataError, quoted

__all__ = [
    "ChangedFileError",
    "DeniedError",
    "MissingBucketError",
    "NoCredentialsError",
    "StoreFailedError",
    "UnknownSchemeError",
]


class UnknownSchemeError(BatchevalError):
    """An address of a kind that is not read."""

    def __init__(self, address: str, known: Iterable[str]) -> None:
        super().__init__(f"'{address}' cannot be reached: addresses begin with {quoted(known)}")


class MissingBucketError(BatchevalError):
    """The store has no bucket, or container, of this name."""

    def __init__(self, address: str, bucket: str) -> None:
        super().__init__(f"'{address}': there is no bucket '{bucket}'")


class NoCredentialsError(BatchevalError):
    """Nobody said who asks."""

    def __init__(self, address: str, hint: str) -> None:
        super().__init__(f"'{address}': no credentials were found; {hint}")


class DeniedError(BatchevalError):
    """The store knows who asks, or does not want to, and says no."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(f"'{address}': access was denied ({reason})")


class StoreFailedError(DataError):
    """The store cannot be reached, or failed, and went on to after some tries."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(f"'{address}' cannot be reached: {reason}")


class ChangedFileError(DataError):
    """Somebody wrote another file to an address that was being read."""

    def __init__(self, address: str) -> None:
        super().__init__(f"'{address}' was replaced while it was read; read it again")
