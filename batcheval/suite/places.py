"""Where in a suite a mistake was made."""

from collections.abc import Iterator
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
        error.args = (f"{place}: {error}",)
        raise
