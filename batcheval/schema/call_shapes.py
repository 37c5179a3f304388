"""How one tool call in JSON is read: its keys, their synonyms, and what else they may hold."""

from collections.abc import Collection
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from batcheval.schema.columns import CALL_SYNONYMS
from batcheval.schema.json_text import as_written, unwrap
from batcheval.schema.kinds import NUMBER, RAW, WORD, Field
from batcheval.schema.shapes import Shape
from batcheval.schema.states import is_truthy

WORDS: Final = ("id", "name", "state", "state_raw", "agent", "parent_id")
NUMBERS: Final = ("message", "duration_ms")
LOST: Final = "batcheval:lost"  # set on a call of which a value could not be kept


def _said(raw: bytes) -> str | None:
    """What an error says; a falsy value says nothing."""
    return as_written(raw) if is_truthy(raw) else None


KINDS: Final[dict[str, Field]] = {
    **dict.fromkeys(WORDS, WORD),
    **dict.fromkeys(NUMBERS, NUMBER),
    **dict.fromkeys(("args", "result", "function"), RAW),
    "error": Field(str | UnsetType | None, _said),
    "is_error": Field(bool | UnsetType | None, lambda raw: False),  # only `true` itself is a sign
    "started_at": Field(str | int | float | UnsetType | None, as_written),
}
SHAPE: Final = Shape(
    "Call",
    {
        **{
            name: kind for key, kind in KINDS.items() for name in (key, *CALL_SYNONYMS.get(key, ()))
        },
        LOST: WORD,
    },
)
_MEANT: Final = {other: key for key, others in CALL_SYNONYMS.items() for other in others}
_function = Shape("Function", {"name": WORD, "arguments": RAW})
_raws = msgspec.json.Decoder(list[Raw]).decode


def calls_of(raw: bytes) -> list[Any]:
    """The calls in a JSON value: a list of objects or names, one object, or a string of such.

    Raises:
        ValueError: the value holds something that is no call.
    """
    text = (unwrap(raw) or "").strip()
    if not text:
        return []
    if text[:1] == "{":
        text = f"[{text}]"
    return [_call(bytes(item)) for item in _raws(text) if bytes(item) != b"null"]


def _call(raw: bytes) -> Any:
    if raw[:1] == b'"':
        return SHAPE.struct(name=msgspec.json.decode(raw))
    try:
        call, _, lost = SHAPE.decode(raw)
    except msgspec.ValidationError as error:
        raise ValueError(raw) from error
    if lost:
        setattr(call, SHAPE.attributes[LOST], lost[0])
    return call


def shape_of(keys: Collection[str]) -> Shape:
    """A shape for calls that have these keys and no others: a new key is an error.

    Reading the keys of a dump and nothing else takes half the time of looking for all known ones.
    """
    fields = {key: SHAPE.fields.get(key, RAW) for key in keys}
    meant = [_MEANT.get(key, key) for key in keys]
    lone = [] if "function" in keys else [k for k in keys if meant.count(_MEANT.get(k, k)) == 1]
    return Shape("Call", fields, strict=True, lone=lone)


def calls_field(shape: Shape) -> Field:
    """How a list of calls is read."""
    return Field(list[shape.struct] | UnsetType | None, calls_of)  # type: ignore[name-defined]


CALLS: Final = calls_field(SHAPE)


def widened(calls: list[Any], shape: Shape) -> list[Any]:
    """Calls of which some are of the shape and others of `SHAPE`, all as `SHAPE`."""
    return [call if isinstance(call, SHAPE.struct) else _widened(call, shape) for call in calls]


def _widened(call: Any, shape: Shape) -> Any:
    known = [key for key in shape.fields if key in SHAPE.fields]
    wide = SHAPE.struct()
    for key in known:
        setattr(wide, SHAPE.attributes[key], getattr(call, shape.attributes[key]))
    return wide


def unfold(calls: list[Any]) -> None:
    """Give a call of the form `{"function": {"name", "arguments"}}` its name and arguments."""
    for call in calls:
        if call.function is not UNSET and bytes(call.function)[:1] == b"{":
            inner = _function.decode(bytes(call.function))[0]
            call.name = inner.name if call.name is UNSET else call.name
            call.args = inner.arguments if call.args is UNSET else call.args
