"""What arguments look like: keys, types and values of JSON, counted."""

from collections import Counter
from typing import Any, Final

import msgspec

_DEEP: Final = 4  # objects in objects that are looked into
_MANY_KEYS: Final = 100  # an object of more is a map
_MANY_VALUES: Final = 20
_LONG: Final = 60  # characters of a text that may be one of few

BROKEN: Final = "broken"

# `bool` first: Python takes it for a whole number.
_TYPES: Final[dict[type, str]] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
    type(None): "null",
}


class Shape:
    """The values that stood in one place.

    Attributes:
        seen: how many there were.
        types: how many of each JSON type; `BROKEN` where a text is no JSON.
        texts: how often each text stood there; None where they are many or long.
        keys: of objects, what stood under each key; None where there are very many.
        items: of arrays, what stood in them.
    """

    def __init__(self) -> None:
        self.seen = 0
        self.types: Counter[str] = Counter()
        self.texts: Counter[str] | None = Counter()
        self.keys: dict[str, Shape] | None = {}
        self.items: Shape | None = None

    def add_text(self, text: str | None, times: int) -> None:
        """Count arguments, JSON text; those that are not there are an empty object."""
        try:
            self.add(msgspec.json.decode(text) if text and text.strip() else {}, times)
        except (msgspec.DecodeError, RecursionError):
            self.seen += times
            self.types[BROKEN] += times

    def add(self, value: Any, times: int, depth: int = 0) -> None:
        """Count a value, so many times."""
        self.seen += times
        self.types[_TYPES[type(value)]] += times
        if isinstance(value, str):
            self._add_word(value, times)
        elif depth < _DEEP and isinstance(value, dict):
            self._add_keys(value, times, depth)
        elif depth < _DEEP and isinstance(value, list):
            self.items = self.items or Shape()
            for item in value:
                self.items.add(item, times, depth + 1)

    def _add_word(self, value: str, times: int) -> None:
        if self.texts is None:
            return
        self.texts[value] += times
        if len(self.texts) > _MANY_VALUES or len(value) > _LONG:
            self.texts = None

    def _add_keys(self, value: dict[str, Any], times: int, depth: int) -> None:
        if self.keys is None:
            return
        for key, held in value.items():
            if (shape := self.keys.get(key)) is None:
                shape = self.keys[key] = Shape()
            shape.add(held, times, depth + 1)
        if len(self.keys) > _MANY_KEYS:
            self.keys = None
