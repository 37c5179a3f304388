"""Which values of a trace need no conversion, by the field that they are for."""

import math
from collections.abc import Callable
from typing import Any, Final

from batcheval.schema.call_objects import usual_calls
from batcheval.schema.call_shapes import CALLS
from batcheval.schema.kinds import NUMBER, TEXT, TRUTH, Field
from batcheval.schema.lists import MESSAGES, TEXTS
from batcheval.schema.lists import SHAPE as MESSAGE


def usual(field: Field) -> Callable[[Any], Any] | None:
    """What gives back a value that needs no conversion, and None for another; none for any JSON."""
    return _USUAL.get(id(field))


def _text(value: Any) -> Any:
    return value if type(value) is str else None


def _number(value: Any) -> Any:
    return value if type(value) is int or (type(value) is float and math.isfinite(value)) else None


def _truth(value: Any) -> Any:
    return value if type(value) is bool else None


def _texts(value: Any) -> Any:
    whole = type(value) is list and all(type(text) is str for text in value)
    return value if whole else None


def _messages(value: Any) -> Any:
    if type(value) is not list:
        return None
    for message in value:
        if type(message) is not dict:
            return None
        for key in MESSAGE.fields:
            said = message.get(key)
            if said is not None and type(said) is not str:
                return None
    return value


_USUAL: Final[dict[int, Callable[[Any], Any]]] = {
    id(TEXT): _text,
    id(NUMBER): _number,
    id(TRUTH): _truth,
    id(TEXTS): _texts,
    id(MESSAGES): _messages,
    id(CALLS): usual_calls,
}
