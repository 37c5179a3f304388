"""Where in a suite mistakes were made, and several of them at once."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from batcheval.errors import BatchevalError


@contextmanager
def placed(place: str) -> Iterator[None]:
    """Put `place` in front of the message of a mistake made inside; its class stays.

    Example:
        >>> with placed("suite.toml"), placed("scorer 'x'"):
        ...     raise BatchevalError("no")
        Traceback (most recent call last):
        batcheval.errors.base.BatchevalError: suite.toml: scorer 'x': no
    """
    try:
        yield
    except BatchevalError as error:
        for one in (error, *error.others):
            one.args = (f"{place}: {one}",)
        raise


@contextmanager
def noted(mistakes: list[BatchevalError]) -> Iterator[None]:
    """Go on after a mistake made inside, which is put to the others.

    Example:
        >>> mistakes = []
        >>> with noted(mistakes):
        ...     raise BatchevalError("no")
        >>> mistakes
        [BatchevalError('no')]
    """
    try:
        yield
    except BatchevalError as error:
        mistakes += [error, *error.others]
        error.others = ()


def raise_all(mistakes: Sequence[BatchevalError]) -> None:
    """Raise the first mistake, if there is any; it carries the others."""
    if mistakes:
        first, *others = mistakes
        first.others = tuple(others)
        raise first
