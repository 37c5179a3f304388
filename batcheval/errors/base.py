"""What all errors of batcheval share, and how they word names."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

__all__ = [
    "BatchevalError",
    "DataError",
    "nearest",
    "quoted",
]


def quoted(names: Iterable[str]) -> str:
    """`'a', 'b'`: names as they stand in a message; "none" where there are none."""
    return ", ".join(f"'{name}'" for name in names) or "none"


def nearest(name: str, known: Iterable[str]) -> str:
    """A clause that offers the known name closest to `name`, or nothing."""
    close = get_close_matches(name, list(known), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""


def shown(value: object) -> str:
    """A value on one line, cut if it is long; values may be nested too deeply to be shown."""
    try:
        text = repr(value)
    except RecursionError:
        return f"a {type(value).__name__} nested too deeply"
    return " ".join(text.split())[:200]


class BatchevalError(Exception):
    """A mistake that its maker can mend: bad usage or suite unless a subclass says otherwise."""

    exit_code = 2
    others: "tuple[BatchevalError, ...]" = ()
    """Further mistakes that were found in the same place; this is the first."""

    def __reduce__(self) -> tuple[Any, ...]:
        """As it is worded, whatever facts its class asks for: it comes from other processes too."""
        return _worded_again, (type(self), self.args, self.__dict__)


def _worded_again(
    kind: type[BatchevalError], args: tuple[Any, ...], facts: dict[str, Any]
) -> BatchevalError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(facts)
    return error


class DataError(BatchevalError):
    """The traces, or a file of them, cannot be used."""

    exit_code = 3
