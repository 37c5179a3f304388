"""What kind of value a key of a suite holds."""

from typing import Any, TypeGuard

from batcheval.errors import WrongShapeError


def is_number(value: object) -> TypeGuard[int | float]:
    """A number, which true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def table(key: str, value: object) -> dict[str, Any]:
    """The value, a table; else `WrongShapeError`."""
    if not isinstance(value, dict):
        raise WrongShapeError(key, "a table", value)
    return value


def text(key: str, value: object) -> str:
    """The value, a text that is not blank; else `WrongShapeError`."""
    if not isinstance(value, str) or not value.strip():
        raise WrongShapeError(key, "a text", value)
    return value
