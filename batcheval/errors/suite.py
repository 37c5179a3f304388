"""Mistakes in a suite or a call on the command line."""

from collections.abc import Iterable

from batcheval.errors.base import BatchevalError, nearest, quoted

__all__ = [
    "BadCallError",
    "BadColumnError",
    "CallSyntaxError",
    "CheckFailedError",
    "ColumnTableError",
    "NoScorersError",
    "NotACheckError",
    "SuiteSyntaxError",
    "UnknownFunctionError",
    "UnknownKeyError",
    "UnknownModuleError",
    "UnknownReadySuiteError",
    "UnreadableSuiteError",
    "WrongShapeError",
]


class UnreadableSuiteError(BatchevalError):
    """A suite file that cannot be opened, or whose bytes are no text."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the suite cannot be read: {reason}")


class SuiteSyntaxError(BatchevalError):
    """A suite file that is no TOML, or no JSON."""

    def __init__(self, problem: str, line: int | None = None, column: int | None = None) -> None:
        place = "" if line is None else f"line {line}, column {column}: "
        super().__init__(f"{place}{problem}")


class UnknownKeyError(BatchevalError):
    """A table of a suite has a key that means nothing there."""

    def __init__(self, table: str, key: str, known: Iterable[str]) -> None:
        names = list(known)
        hint = nearest(key, names) or f"; it takes {quoted(names)}"
        super().__init__(f"{table} has no key '{key}'{hint}")


class WrongShapeError(BatchevalError):
    """A key of a suite holds a value of the wrong kind."""

    def __init__(self, key: str, wanted: str, value: object) -> None:
        kind = "a table" if isinstance(value, dict) else repr(value)
        kind = "a list" if isinstance(value, list) else kind
        super().__init__(f"{key} must be {wanted}, not {kind}")


class NoScorersError(BatchevalError):
    """A suite without a scorer."""

    def __init__(self) -> None:
        super().__init__("the suite has no scorers; it needs a table such as [scorers.includes]")


class BadColumnError(BatchevalError):
    """A column is asked for by something that names none, or several."""

    def __init__(self, name: object, why: str = "is no column's name") -> None:
        super().__init__(f"{name!r} {why}")


class ColumnTableError(BatchevalError):
    """A table of a suite that names a column has more to say."""

    def __init__(self, others: Iterable[str]) -> None:
        super().__init__(
            "a table with 'column' stands for that column and has no other key;"
            f" here {quoted(others)}"
        )


class BadCallError(BatchevalError):
    """A check was given too many arguments, or one of them twice."""

    def __init__(self, check: str, problem: str, known: Iterable[str]) -> None:
        super().__init__(f"'{check}' got {problem}; it takes {quoted(known)}")


class UnknownModuleError(BatchevalError):
    """A check of the form `module:function` whose module cannot be imported."""

    def __init__(self, module: str, reason: str) -> None:
        super().__init__(f"the module '{module}' cannot be imported: {reason}")


class UnknownFunctionError(BatchevalError):
    """A check of the form `module:function` whose module has no such function."""

    def __init__(self, module: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"the module '{module}' has no function '{name}'{nearest(name, known)}")


class UnknownReadySuiteError(BatchevalError):
    """No suite to begin with is for agents of this kind."""

    def __init__(self, kind: str, known: Iterable[str]) -> None:
        names = list(known)
        hint = nearest(kind, names) or f"; there are {quoted(names)}"
        super().__init__(f"no suite is ready for '{kind}'{hint}")


class NotACheckError(BatchevalError):
    """Something that was named as a check gives no verdict."""

    def __init__(self, name: str, found: str) -> None:
        super().__init__(f"'{name}' is no check: it {found}; a check gives a Verdict or a Scorer")


class CallSyntaxError(BatchevalError):
    """The text of a check that is no call with literal arguments."""

    def __init__(self, text: str, problem: str, position: int) -> None:
        rest = f", {text[position:][:20]!r}" if position < len(text) else ", its end"
        super().__init__(
            f"the check {text!r} cannot be read: {problem} at character {position + 1}{rest}"
        )


class CheckFailedError(BatchevalError):
    """A check of somebody's own raised an exception when it was called."""

    def __init__(self, check: str, error: BaseException) -> None:
        text = " ".join(str(error).split())
        super().__init__(f"'{check}' failed: {type(error).__name__}: {text}".rstrip(": "))
