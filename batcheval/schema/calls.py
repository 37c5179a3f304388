"""Tool calls: from JSON or from any list column to the canonical list."""

from typing import Any, Final

import msgspec
import polars as pl
from msgspec import UNSET, Raw

from batcheval.schema.columns import CALL, CALL_SYNONYMS, STATES
from batcheval.schema.json_text import decode_string, unwrap, unwrap_text
from batcheval.schema.series import delist, json_texts, raw_texts, relist, unwrapped
from batcheval.schema.shapes import NUMBER, RAW, WORD, Field, Shape
from batcheval.schema.states import has_error, settle, truthy
from batcheval.schema.times import to_time

_WORDS: Final = ("id", "name", "state", "state_raw", "agent", "parent_id")
_RAWS: Final = ("args", "result", "error", "is_error", "started_at", "function")
_NUMBERS: Final = ("message", "duration_ms")
_KINDS: Final[dict[str, Field]] = {
    **dict.fromkeys(_WORDS, WORD),
    **dict.fromkeys(_RAWS, RAW),
    **dict.fromkeys(_NUMBERS, NUMBER),
}
_PLAIN: Final = {**dict.fromkeys(_WORDS, pl.String), **dict.fromkeys(_NUMBERS, pl.Float64)}
SHAPE: Final = Shape(
    "Call",
    {
        name: kind
        for key, kind in _KINDS.items()
        for name in (key, *CALL_SYNONYMS.get(key, ()))
    },
)
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
        return SHAPE.decode(raw)[0]
    except msgspec.ValidationError as error:
        raise ValueError(raw) from error


CALLS: Final = Field(list[SHAPE.struct] | msgspec.UnsetType | None, calls_of)  # type: ignore[name-defined]


def calls_column(lists: list[list[Any] | None]) -> pl.Series:
    """The canonical column of decoded calls, a list of them a row."""
    calls = [call for found in lists if found for call in found]
    lengths = [len(found) if found else 0 for found in lists]
    return relist(settle(_flat(calls)), lengths)


def _flat(calls: list[Any]) -> pl.DataFrame:
    """A row a call: the fields that `settle` takes."""
    _unfold(calls)
    plain = {key: _of(calls, key) for key in (*_WORDS, *_NUMBERS)}
    raws = {key: raw_texts(_of(calls, key)) for key in _RAWS if key != "function"}
    error = unwrapped(raws["error"], decode_string)
    return pl.DataFrame(plain, schema=_PLAIN, strict=False).with_columns(
        args=unwrapped(raws["args"], lambda text: unwrap(text.encode())),
        result=unwrapped(raws["result"], decode_string),
        error=error.set(~truthy(raws["error"]), None) if calls else error,
        is_error=(raws["is_error"] == "true").fill_null(False),
        result_error=has_error(raws["result"]),
        started_at=to_time(unwrapped(raws["started_at"], decode_string)),
    )


def _of(calls: list[Any], key: str) -> list[Any]:
    return SHAPE.values(calls, key, CALL_SYNONYMS.get(key, ()))


def _unfold(calls: list[Any]) -> None:
    """Give a call of the form `{"function": {"name", "arguments"}}` its name and arguments."""
    functions = SHAPE.values(calls, "function")
    if functions.count(None) == len(functions):
        return
    for call, raw in zip(calls, functions, strict=True):
        if raw is not None and bytes(raw)[:1] == b"{":
            inner = _function.decode(bytes(raw))[0]
            call.name = inner.name if call.name is UNSET else call.name
            call.args = inner.arguments if call.args is UNSET else call.args


def normal_calls(values: pl.Series) -> pl.Series:
    """The canonical column from a column of any type that can hold calls.

    Args:
        values: List(Struct) whose fields are the canonical ones or their synonyms, or String with
            JSON text, or List(String) with names or JSON texts.
    """
    if values.dtype == pl.List(CALL) and _are_settled(values):
        return values
    if isinstance(values.dtype, pl.List) and isinstance(values.dtype.inner, pl.Struct):
        items, lengths = delist(values)
        return relist(settle(_flat_of_struct(items.struct.unnest())), lengths)
    texts = json_texts(values)
    return calls_column([None if text is None else _calls_or_none(text) for text in texts])


def _calls_or_none(text: str) -> list[Any] | None:
    try:
        return calls_of(text.encode())
    except (ValueError, msgspec.DecodeError):
        return None


def _are_settled(values: pl.Series) -> bool:
    states = values.list.eval(pl.element().struct.field("state").is_in(STATES)).list.all()
    return bool(states.all())


def _flat_of_struct(fields: pl.DataFrame) -> pl.DataFrame:
    texts = {key: json_texts(_pick(fields, key)) for key in (*_WORDS, "args", "result", "error")}
    result = _pick(fields, "result")
    silent = pl.repeat(False, fields.height, eager=True)
    return pl.DataFrame(
        {
            **texts,
            **{key: _pick(fields, key).cast(pl.Float64, strict=False) for key in _NUMBERS},
            "args": unwrapped(texts["args"], unwrap_text),
            "error": texts["error"].replace(["", "false"], None),
            "is_error": _pick(fields, "is_error").cast(pl.String).fill_null("").is_in(["true"]),
            "result_error": has_error(texts["result"]) if result.dtype.is_nested() else silent,
            "started_at": to_time(_pick(fields, "started_at")),
        }
    )


def _pick(fields: pl.DataFrame, key: str) -> pl.Series:
    for name in (key, *CALL_SYNONYMS.get(key, ())):
        if name in fields.columns:
            return fields[name]
    return pl.Series([None] * fields.height, dtype=pl.String)
