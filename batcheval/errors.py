"""Every exception that batcheval raises on purpose.

One class per mistake, all under `BatchevalError`. The class words the message, the caller passes the
facts. The command line prints the message as one line and ends with the class's `exit_code`.
"""

from collections.abc import Iterable
from difflib import get_close_matches


def quoted(names: Iterable[str]) -> str:
    """`'a', 'b'`: names as they stand in a message; "none" where there are none."""
    return ", ".join(f"'{name}'" for name in names) or "none"


def nearest(name: str, known: Iterable[str]) -> str:
    """A clause that offers the known name closest to `name`, or nothing."""
    close = get_close_matches(name, list(known), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""


class BatchevalError(Exception):
    """A mistake that its maker can mend: bad usage or a bad suite unless a subclass says otherwise."""

    exit_code = 2


class DataError(BatchevalError):
    """The traces, or a file of them, cannot be used."""

    exit_code = 3


class MissingColumnsError(BatchevalError):
    """A scorer or option reads a column that the traces lack."""

    def __init__(self, reader: str, column: str, available: Iterable[str]) -> None:
        names = sorted(available)
        hint = nearest(column, names) or f"; they have {quoted(names)}"
        super().__init__(f"{reader} reads '{column}', which the traces lack{hint}")


class UnknownCheckError(BatchevalError):
    """No check goes by this name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        hint = nearest(name, known)
        super().__init__(f"no check is called '{name}'{hint} (batcheval checks lists them all)")


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
        super().__init__(f"'{name}' must be {wanted}, not {value!r}")


class BadPatternError(BatchevalError):
    """A regular expression that no engine here can read."""

    def __init__(self, pattern: str, reason: str, position: int | None = None) -> None:
        place = "" if position is None else f" at character {position + 1}, '{pattern[position:][:20]}'"
        super().__init__(f"the pattern {pattern!r} is not a regular expression: {reason}{place}")


class DuplicateIdError(BatchevalError):
    """Two scorers would write the same column."""

    def __init__(self, scorer_id: str, clash: str) -> None:
        super().__init__(f"the scorer id '{scorer_id}' is taken by {clash}; give it another id")


class BadPathError(BatchevalError):
    """A path into JSON text that cannot be read."""

    def __init__(self, path: str, position: int) -> None:
        super().__init__(f"the path '{path}' cannot be read from '{path[position:]}' on")


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


class BadIdError(BatchevalError):
    """A scorer id that cannot head a column."""

    def __init__(self, scorer_id: str) -> None:
        why = "has characters that cannot be printed" if scorer_id.strip() else "is blank"
        super().__init__(f"the scorer id {scorer_id!r} {why}")


class BadColumnError(BatchevalError):
    """A column is asked for by something that names none, or several."""

    def __init__(self, name: object, why: str = "is no column's name") -> None:
        super().__init__(f"{name!r} {why}")


class ColumnTableError(BatchevalError):
    """A table of a suite that names a column has more to say."""

    def __init__(self, others: Iterable[str]) -> None:
        super().__init__(
            f"a table with 'column' stands for that column and has no other key; here {quoted(others)}"
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


class UnknownGateError(BatchevalError):
    """A gate that is not named after a scorer of the suite."""

    def __init__(self, gate: str, known: Iterable[str]) -> None:
        names = list(known)
        hint = nearest(gate, names) or f"; it has {quoted(names)}"
        super().__init__(f"the suite has no scorer '{gate}' for the gate to judge{hint}")


class IdleGateError(BatchevalError):
    """A gate that asks for nothing."""

    def __init__(self, known: Iterable[str]) -> None:
        super().__init__(f"it asks for nothing; give it one of {quoted(known)}")


class UnknownScorerError(BatchevalError):
    """No scorer of these scores goes by this name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        names = list(known)
        hint = nearest(name, names) or f"; they have {quoted(names)}"
        super().__init__(f"the scores have no scorer '{name}'{hint}")


class NotScoresError(DataError):
    """A file or frame that can be read, but holds no scores."""

    def __init__(self, what: str, found: str) -> None:
        super().__init__(f"{what} holds no scores: {found}")


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


class BadPredicateError(BatchevalError):
    """A SQL condition that cannot be read, or does not fit the columns."""

    def __init__(self, sql: str, reason: str) -> None:
        super().__init__(f"the condition {sql!r} cannot be used: {reason.strip().splitlines()[0]}")


class ScoreRangeError(DataError):
    """A scorer gave a number outside 0..1."""

    def __init__(self, scorer_id: str, value: float, trace_id: str) -> None:
        super().__init__(
            f"scorer '{scorer_id}' gave {value!r} for trace '{trace_id}', but scores lie in 0..1"
        )


class BadScorerError(BatchevalError):
    """A scorer whose expression cannot be applied to the table."""

    def __init__(self, scorer_id: str, reason: str) -> None:
        super().__init__(f"scorer '{scorer_id}' cannot be applied: {reason}")


class ScorerFailedError(DataError):
    """A Python function that scores batches raised an exception (its one argument: the message)."""


class CheckImportError(BatchevalError):
    """A check that an installed package offers cannot be imported."""

    def __init__(self, name: str, place: str, error: Exception) -> None:
        reason = f"{type(error).__name__}: {error}"
        super().__init__(f"the check '{name}' cannot be imported from '{place}': {reason}")
