"""JSON objects read into typed fields, fast where the values have the usual types."""

import keyword
import re
from collections.abc import Collection, Iterable, Mapping
from functools import partial
from operator import attrgetter
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw

from batcheval.schema.kinds import Field, kept

_NULL: Final = Raw(b"null")


class Shape:
    """A JSON object of known fields; further keys are passed over.

    Args:
        name: for messages.
        fields: the keys that are read, each with how.
        raw: those to leave raw at first, since this dump gives them other types than usual.
        strict: further keys are an error instead, which `unknown_key` can read.
        lone: keys without a synonym among the others, for which missing may be null at once.
    """

    def __init__(
        self,
        name: str,
        fields: Mapping[str, Field],
        raw: Collection[str] = (),
        *,
        strict: bool = False,
        lone: Collection[str] = (),
    ) -> None:
        self.fields = fields
        self._lone = lone
        self._strict = strict
        self.raw = frozenset(raw)
        self.attributes = {key: _attribute(key, place) for place, key in enumerate(fields)}
        types = {key: Raw if key in raw else field.type for key, field in fields.items()}
        self.struct = self._struct(name, types)
        self.fast = msgspec.json.Decoder(self.struct).decode
        self._slow = msgspec.json.Decoder(self._struct(name, dict.fromkeys(fields, Raw))).decode

    def _struct(self, name: str, types: Mapping[str, Any]) -> Any:
        absent = {key: _NULL if types[key] is Raw else None for key in self._lone}
        fields = [
            (self.attributes[key], kind, absent.get(key, UNSET)) for key, kind in types.items()
        ]
        keys = {attribute: key for key, attribute in self.attributes.items()}
        return msgspec.defstruct(
            name, fields, rename=keys, gc=False, forbid_unknown_fields=self._strict
        )

    def decode(self, line: bytes) -> tuple[Any, list[str], list[str]]:
        """Read an object whose values may have any types.

        Returns:
            The object, the keys whose values were of another type than usual, and those of them
            whose values could not be kept and are None.

        Raises:
            msgspec.DecodeError: the text is not a JSON object.
        """
        slow = self._slow(line)
        values: dict[str, Any] = {}
        odd: list[str] = []
        lost: list[str] = []
        for key, field in self.fields.items():
            attribute = self.attributes[key]
            raw = getattr(slow, attribute)
            if raw is UNSET or raw is _NULL:
                continue
            try:
                values[attribute] = msgspec.json.decode(raw, type=field.type)
            except msgspec.ValidationError:
                odd.append(key)
                values[attribute] = kept(field, raw, partial(lost.append, key))
        return self.struct(**values), odd, lost

    def found(self, objects: list[Any], key: str, synonyms: Iterable[str] = ()) -> list[Any] | None:
        """One value an object: of `key`, else of the first synonym that it has, else None.

        Returns:
            The values, or None where no object has any of these keys.
        """
        names = [name for name in (key, *synonyms) if name in self.attributes]
        if not names:
            return None
        values = self._all(objects, names[0])
        if names[0] in self._lone:
            return values
        for other in names[1:]:
            if UNSET in values:
                pairs = zip(values, self._all(objects, other), strict=True)
                values = [b if a is UNSET else a for a, b in pairs]
        missing = values.count(UNSET)
        if missing == len(values):
            return None
        return [None if value is UNSET else value for value in values] if missing else values

    def _all(self, objects: list[Any], key: str) -> list[Any]:
        return list(map(attrgetter(self.attributes[key]), objects))


def is_usable(key: str) -> bool:
    """Whether a shape can have the key: msgspec takes no quote, backslash or control in one."""
    return not any(char in '"\\' or char < " " for char in key)


_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*)` - at `\$\..*`", re.DOTALL)


def unknown_key(error: Exception) -> str | None:
    """The key that a strict shape met and does not know, if that is what the error says."""
    match = _UNKNOWN.fullmatch(str(error))
    return match[1] if match else None


def _attribute(key: str, place: int) -> str:
    """A Python name for a key that may be any text."""
    usable = key.isidentifier() and not key.startswith("_") and not keyword.iskeyword(key)
    return key if usable else f"_{place}"
