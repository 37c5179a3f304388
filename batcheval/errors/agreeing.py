"""What keeps scores from being held against human labels."""

from collections.abc import Iterable, Sequence
from typing import Self

from batcheval.errors.base import DataError, quoted

__all__ = [
    "BadLabelsError",
    "NoLabelsError",
]


class BadLabelsError(DataError):
    """Labels of which cannot be told whether they mean good or bad."""

    def __init__(self, label: str, reason: str) -> None:
        super().__init__(f"the labels '{label}' cannot be used: {reason}")

    @classmethod
    def unclear(cls, label: str, values: Sequence[tuple[str, int]], numbers: bool) -> Self:
        """Nobody said whether they mean good or bad."""
        some = ", ".join(f"'{value}' ({count:,})" for value, count in values[:5])
        more = " …" if len(values) > 5 else ""
        mend = "name the good ones by --positive VALUE"
        if numbers:
            mend = "say above which number they are good by --above NUMBER"
        return cls(label, f"do these mean good or bad: {some}{more}? {mend}")

    @classmethod
    def scored(cls, label: str, others: Iterable[str]) -> Self:
        """They are the scores of one of the scorers to look at."""
        mend = f"name others by --scorer; there are {quoted(others)}"
        return cls(label, f"they are the scores of a scorer, which agrees with itself; {mend}")

    @classmethod
    def absent(cls, label: str, value: str, known: Iterable[str]) -> Self:
        """One is named as good, and no row has it."""
        return cls(label, f"none is '{value}', as --positive says; there are {quoted(known)}")

    @classmethod
    def no_numbers(cls, label: str, values: Iterable[str]) -> Self:
        """They should lie above a number."""
        return cls(label, f"no numbers, as --above asks for, are {quoted(values)}")

    @classmethod
    def several(cls, label: str, traces: int, example: str) -> Self:
        """A trace has more than one, and they differ."""
        have = "1 trace has" if traces == 1 else f"{traces:,} traces have"
        return cls(label, f"{have} several that differ, such as {example}")


class NoLabelsError(DataError):
    """Not one row of the scores has a label."""

    def __init__(self, label: str, reason: str) -> None:
        super().__init__(f"no row has a label at '{label}': {reason}")
