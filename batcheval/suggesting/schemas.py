"""The JSON Schema that values of a shape fit, nearly all of them."""

from typing import Any, Final

from batcheval.suggesting.shapes import BROKEN, Shape

_RARE: Final = 0.01  # the share of values whose type or key is taken for a slip
_WORDS: Final = 10  # texts that an enumeration has at most
_OFTEN: Final = 5  # how often each of them must have stood there


def schema_of(shape: Shape, least: int) -> dict[str, Any]:
    """The narrowest schema of JSON Schema 2020-12 that all but rare values fit.

    Types and keys of fewer than 1 value in 100 are no part of it, and a key is required that no
    more lack. Texts are enumerated if there are 10 at most and each stood there 5 times, so that a
    further one is not to be expected (Good 1953, "The population frequencies of species and the
    estimation of population parameters": the share of the unseen is that of what was seen once).

    Args:
        shape: what was seen.
        least: how many values must have been seen for anything to be said of them.

    Example:
        >>> shape = Shape()
        >>> for n in range(40):
        ...     shape.add({"id": f"o-{n}", "why": "late" if n % 2 else "broken"}, 1)
        >>> found = schema_of(shape, 29)
        >>> found["properties"]
        {'id': {'type': 'string'}, 'why': {'type': 'string', 'enum': ['broken', 'late']}}
        >>> found["required"], found["additionalProperties"]
        (['id', 'why'], False)
    """
    if shape.seen < least:
        return {}
    types = _types(shape)
    schema: dict[str, Any] = {"type": types[0] if len(types) == 1 else types}
    if types == ["string"] and (words := _words(shape)):
        schema["enum"] = words
    if "object" in types and shape.types["object"] >= least and shape.keys is not None:
        schema |= _keys(shape, shape.keys, least)
    if "array" in types and shape.items is not None and (items := schema_of(shape.items, least)):
        schema["items"] = items
    return schema


def _types(shape: Shape) -> list[str]:
    """The usual types; a whole number is a number to JSON Schema."""
    usual = {name for name, n in shape.types.items() if n >= _RARE * shape.seen} - {BROKEN}
    if not usual:
        return ["object"]
    return sorted(usual - {"integer"} if "number" in usual else usual)


def _words(shape: Shape) -> list[str] | None:
    texts = shape.texts
    if not texts or len(texts) > _WORDS or min(texts.values()) < _OFTEN:
        return None
    return sorted(texts)


def _keys(shape: Shape, keys: dict[str, Shape], least: int) -> dict[str, Any]:
    objects = shape.types["object"]
    usual = {key: held for key, held in sorted(keys.items()) if held.seen >= _RARE * objects}
    schema: dict[str, Any] = {
        "properties": {key: schema_of(held, least) for key, held in usual.items()},
        "required": [key for key, held in usual.items() if held.seen >= (1 - _RARE) * objects],
    }
    others = sum(held.seen for key, held in keys.items() if key not in usual)
    if others <= _RARE * objects:  # else it is a map, whose keys are values
        schema["additionalProperties"] = False
    return schema
