"""How one JSON value is read: the usual type at once, any other converted."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Raw

from batcheval.schema.json_text import as_written, text_of


class Field(NamedTuple):
    """How one value is read.

    Attributes:
        type: what the fast decoder takes; UNSET stands for a missing key.
        convert: what becomes of the raw JSON of a value of any other type; raises `ValueError`
            where that would lose something.
    """

    type: Any
    convert: Callable[[bytes], Any]


def number(raw: bytes) -> int | float | None:
    """A number, also one spelled as a string; None for null and for an empty string."""
    text = (as_written(raw) or "").strip()
    if not text:
        return None
    if "_" in text:  # Python's own digits, nobody else's
        raise ValueError(text)
    try:
        return int(text)
    except ValueError:
        return float(text)


def truth(raw: bytes) -> bool | None:
    """A truth value, also one spelled as a string."""
    words = {b"true": True, b'"true"': True, b"false": False, b'"false"': False}
    return None if raw == b"null" else _known(words, raw.lower())


def _known(words: Mapping[bytes, bool], raw: bytes) -> bool:
    if raw not in words:
        raise ValueError(raw)
    return words[raw]


TEXT: Final = Field(str | msgspec.UnsetType | None, text_of)
WORD: Final = Field(str | msgspec.UnsetType | None, as_written)
NUMBER: Final = Field(int | float | msgspec.UnsetType | None, number)
TRUTH: Final = Field(bool | msgspec.UnsetType | None, truth)
RAW: Final = Field(Raw, lambda raw: Raw(raw))


def kept(field: Field, raw: Raw, on_loss: Callable[[], object]) -> Any:
    """A value of another type than usual, converted; None, after `on_loss`, if it cannot be."""
    try:
        return field.convert(bytes(raw))
    except (ValueError, msgspec.DecodeError, RecursionError):
        on_loss()
        return None
