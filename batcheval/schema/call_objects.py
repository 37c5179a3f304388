"""Tool calls as Python objects, as layouts make them, put together as the canonical list."""

import math
from typing import Any, Final

import msgspec
import polars as pl
from msgspec import Raw

from batcheval.schema.call_json import field_of
from batcheval.schema.call_shapes import KINDS, NUMBERS, SHAPE, WORDS
from batcheval.schema.json_text import unwrap_text
from batcheval.schema.series import relist
from batcheval.schema.states import has_error, settle

_encode = msgspec.json.Encoder(decimal_format="number").encode
_JSON: Final = frozenset(("args", "result"))
_TYPES: Final[dict[str, frozenset[type]]] = {
    **dict.fromkeys((*WORDS, "error"), frozenset((str,))),
    **dict.fromkeys(NUMBERS, frozenset((int, float))),
    "is_error": frozenset((bool,)),
    "started_at": frozenset((str, int, float)),
}


def usual_calls(calls: Any) -> list[dict[str, Any]] | None:
    """The calls, if all are objects of canonical fields of the usual types; else None.

    Arguments and results that are no texts are put in their places as JSON.
    """
    if type(calls) is not list:
        return None
    for call in calls:
        if type(call) is not dict:
            return None
        for key, value in call.items():
            kind = type(value)
            if value is None or kind in _TYPES.get(key, ()):
                if kind is float and not math.isfinite(value):
                    return None
            elif key in _JSON:
                call[key] = value if kind is str or kind is Raw else Raw(_encode(value))
            elif key in SHAPE.fields:
                return None
    return calls


def column_of_calls(lists: list[list[dict[str, Any]] | None]) -> pl.Series:
    """The canonical column of usual calls, a list of them a row.

    Example:
        >>> column = column_of_calls([[{"name": "f", "args": Raw(b"{}"), "is_error": True}], None])
        >>> [[(call["name"], call["args"], call["state"]) for call in made] for made in column]
        [[('f', '{}', 'error')], []]
    """
    calls = [call for found in lists if found for call in found]
    flat: dict[str, Any] = {}
    told = set[str]().union(*calls)
    for key in (key for key in KINDS if key in told):
        values = [call.get(key) for call in calls]
        if values.count(None) < len(values):
            flat |= (_texts if key in _JSON else field_of)(key, values)
    nameless = {"name": pl.Series([None] * len(calls), dtype=pl.String)}
    lengths = [len(found) if found else 0 for found in lists]
    return relist(settle(pl.DataFrame(flat or nameless)), lengths)


def _texts(key: str, values: list[Any]) -> dict[str, pl.Series]:
    raws = [bytes(value) if type(value) is Raw else None for value in values]
    texts = [raw.decode() if raw else value for raw, value in zip(raws, values, strict=True)]
    if key == "args":
        texts = [text and unwrap_text(text) for text in texts]
        return {key: pl.Series(texts, dtype=pl.String)}
    errors = [raw is not None and b'"error"' in raw and has_error(raw) for raw in raws]
    signs = {"result_error": pl.Series(errors, dtype=pl.Boolean)} if True in errors else {}
    return {key: pl.Series(texts, dtype=pl.String), **signs}


def as_structs(calls: list[Any] | None) -> list[Any]:
    """Usual calls as those are that come out of JSON."""
    return [
        SHAPE.struct(
            **{
                SHAPE.attributes[key]: Raw(_encode(value)) if key in _JSON else value
                for key, value in call.items()
                if key in SHAPE.attributes
            }
        )
        for call in calls or ()
    ]
