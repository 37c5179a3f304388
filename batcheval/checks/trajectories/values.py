"""JSON values that can be compared: equal values have equal bytes, whatever their spelling."""

from typing import Any

import msgspec

LARGEST = 1e200


def _number(text: str) -> int | float:
    number = float(text)
    return int(number) if number.is_integer() else number


decode = msgspec.json.Decoder(Any, float_hook=_number).decode  # 1.0 is 1, and -0.0 is 0
_encode = msgspec.json.Encoder(order="deterministic").encode


def canonical(value: object) -> bytes:
    """A decoded value as bytes: the order of an object's keys is lost, all else counts.

    Example:
        >>> canonical(decode('{"b": 1.0, "a": true}')), canonical(decode('{"a": 1, "b": 1}'))
        (b'{"a":true,"b":1}', b'{"a":1,"b":1}')
    """
    return _encode(value)


def of_call(text: str) -> bytes:
    """The arguments or the result of a call, as the field of a step: what is no object is a value.

    Args:
        text: JSON as the canonical table keeps it, where a string is without its quotes.

    Example:
        >>> of_call('{"q": 1}'), of_call("[1]"), of_call("three")
        (b'{"q":1}', b'{"value":[1]}', b'{"value":"three"}')
    """
    try:
        value = decode(text)
        return canonical(value if isinstance(value, dict) else {"value": value})
    except (msgspec.DecodeError, RecursionError):
        return canonical({"value": text})


def is_count(value: object) -> bool:
    """Whether a value is a number of at least 0 and of a size that sums can hold."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0 <= value <= LARGEST  # type: ignore[operator]
