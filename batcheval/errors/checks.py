"""Mistakes in checks, their arguments and their scorers."""

from collections.abc import Iterable

from batcheval.errors.base import BatchevalError, DataError, nearest, quoted, shown

__all__ = [
    "BadArgumentError",
    "BadIdError",
    "BadPathError",
    "BadPatternError",
    "BadScorerError",
    "BlankArgumentError",
    "CheckImportError",
    "DuplicateIdError",
    "MissingArgumentError",
    "MissingColumnsError",
    "MissingPackageError",
    "ScoreRangeError",
    "ScorerFailedError",
    "UnknownArgumentError",
    "UnknownCheckError",
    "WrongKindError",
]


class UnknownCheckError(BatchevalError):
    """No check goes by this name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        hint = nearest(name, known)
        super().__init__(f"no check is called '{name}'{hint} (batcheval checks lists them all)")


class CheckImportError(BatchevalError):
    """A check that an installed package offers cannot be imported."""

    def __init__(self, name: str, place: str, error: Exception) -> None:
        reason = f"{type(error).__name__}: {error}"
        super().__init__(f"the check '{name}' cannot be imported from '{place}': {reason}")


class UnknownArgumentError(BatchevalError):
    """A check was given an argument that it does not take."""

    def __init__(self, check: str, name: str, known: Iterable[str]) -> None:
        names = list(known)
        hint = nearest(name, names) or f"; it takes {quoted(names)}"
        super().__init__(f"'{check}' takes no argument '{name}'{hint}")


class MissingArgumentError(BatchevalError):
    """A check was not given an argument that it needs."""

    def __init__(self, check: str, name: str) -> None:
        super().__init__(f"'{check}' needs the argument '{name}'")


class BlankArgumentError(BatchevalError):
    """A text to look for is empty for the whole table."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is empty, so there is nothing to look for")


class BadArgumentError(BatchevalError):
    """An argument of a check has a value that makes no sense."""

    def __init__(self, name: str, wanted: str, value: object) -> None:
        super().__init__(f"'{name}' must be {wanted}, not {shown(value)}")


class MissingPackageError(BatchevalError):
    """A check needs a package that is not installed."""

    def __init__(self, check: str, package: str, extra: str) -> None:
        super().__init__(f"'{check}' needs {package}: pip install 'batcheval[{extra}]'")


class BadPatternError(BatchevalError):
    """A regular expression that no engine here can read."""

    def __init__(self, pattern: str, reason: str, position: int | None = None) -> None:
        place = (
            "" if position is None else f" at character {position + 1}, '{pattern[position:][:20]}'"
        )
        super().__init__(f"the pattern {pattern!r} is not a regular expression: {reason}{place}")


class MissingColumnsError(BatchevalError):
    """A scorer or option reads a column that the traces lack."""

    def __init__(self, reader: str, column: str, available: Iterable[str]) -> None:
        names = sorted(available)
        hint = nearest(column, names) or f"; they have {quoted(names)}"
        super().__init__(f"{reader} reads '{column}', which the traces lack{hint}")


class BadPathError(BatchevalError):
    """A path into JSON text that cannot be read."""

    def __init__(self, path: str, position: int) -> None:
        super().__init__(f"the path '{path}' cannot be read from '{path[position:]}' on")


class BadScorerError(BatchevalError):
    """A scorer whose expression cannot be applied to the table."""

    def __init__(self, scorer_id: str, reason: str) -> None:
        super().__init__(f"scorer '{scorer_id}' cannot be applied: {reason}")


class WrongKindError(BatchevalError):
    """An expression gives another kind of value than is wanted (its one argument: the message).

    It is raised while polars plans, and polars makes it anew with a longer message.
    """


class ScorerFailedError(DataError):
    """A Python function that scores batches raised an exception (its one argument: the message)."""


class ScoreRangeError(DataError):
    """A scorer gave a number outside 0..1."""

    def __init__(self, scorer_id: str, value: float, trace_id: str) -> None:
        super().__init__(
            f"scorer '{scorer_id}' gave {value!r} for trace '{trace_id}', but scores lie in 0..1"
        )


class DuplicateIdError(BatchevalError):
    """Two scorers would write the same column."""

    def __init__(self, scorer_id: str, clash: str) -> None:
        super().__init__(f"the scorer id '{scorer_id}' is taken by {clash}; give it another id")


class BadIdError(BatchevalError):
    """A scorer id that cannot head a column."""

    def __init__(self, scorer_id: str) -> None:
        why = "cannot head a column" if scorer_id.strip() else "is blank"
        super().__init__(f"the scorer id {scorer_id!r} {why}")
