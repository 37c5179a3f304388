"""Tool calls: from JSON or from any list column to the canonical list."""

from collections.abc import Callable
from typing import Any, Final

import msgspec
import polars as pl
from msgspec import UNSET, Raw, UnsetType

from batcheval.schema.columns import CALL, CALL_SYNONYMS, STATES
from batcheval.schema.json_text import as_written, unwrap, unwrap_text
from batcheval.schema.series import delist, json_texts, raw_bytes, relist, texts_of, unwrapped
from batcheval.schema.shapes import NUMBER, RAW, WORD, Field, Shape
from batcheval.schema.states import has_error, is_truthy, settle
from batcheval.schema.times import to_time

_WORDS: Final = ("id", "name", "state", "state_raw", "agent", "parent_id")
_NUMBERS: Final = ("message", "duration_ms")


def _said(raw: bytes) -> str | None:
    """What an error says; a falsy value says nothing."""
    return as_written(raw) if is_truthy(raw) else None


_KINDS: Final[dict[str, Field]] = {
    **dict.fromkeys(_WORDS, WORD),
    **dict.fromkeys(_NUMBERS, NUMBER),
    **dict.fromkeys(("args", "result", "function"), RAW),
    "error": Field(str | UnsetType | None, _said),
    "is_error": Field(bool | UnsetType | None, lambda raw: False),  # only `true` itself is a sign
    "started_at": Field(str | int | float | UnsetType | None, as_written),
}
_PLAIN: Final = {**dict.fromkeys(_WORDS, pl.String), **dict.fromkeys(_NUMBERS, pl.Float64)}
SHAPE: Final = Shape(
    "Call",
    {name: kind for key, kind in _KINDS.items() for name in (key, *CALL_SYNONYMS.get(key, ()))},
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


CALLS: Final = Field(list[SHAPE.struct] | UnsetType | None, calls_of)  # type: ignore[name-defined]


def calls_column(lists: list[list[Any] | None]) -> pl.Series:
    """The canonical column of decoded calls, a list of them a row."""
    calls = [call for found in lists if found for call in found]
    lengths = [len(found) if found else 0 for found in lists]
    return relist(settle(_flat(calls)), lengths)


def _flat(calls: list[Any]) -> pl.DataFrame:
    """A row a call: those of the fields that `settle` takes which any of the calls has."""
    _unfold(calls)
    flat: dict[str, Any] = {}
    for key in _KINDS:
        values = SHAPE.found(calls, key, CALL_SYNONYMS.get(key, ()))
        if values is not None and key != "function":
            flat |= _BUILD.get(key, _plain)(key, values)
    return pl.DataFrame(flat or {"name": pl.Series([None] * len(calls), dtype=pl.String)})


def _plain(key: str, values: list[Any]) -> dict[str, pl.Series]:
    return {key: pl.Series(values, dtype=_PLAIN[key], strict=False)}


def _result(key: str, values: list[Any]) -> dict[str, pl.Series]:
    raws = raw_bytes(values)
    texts = texts_of(raws)
    errors = texts.str.contains('"error"', literal=True).fill_null(False)
    if errors.any():
        places = errors.arg_true()
        errors = errors.scatter(places, [has_error(raws[place]) for place in places])
    return {key: texts, "result_error": errors}


def _times(key: str, values: list[Any]) -> dict[str, pl.Series]:
    texts = [v if v is None or type(v) is str else str(v) for v in values]
    return {key: to_time(pl.Series(texts, dtype=pl.String))}


_BUILD: Final[dict[str, Callable[[str, list[Any]], dict[str, pl.Series]]]] = {
    "args": lambda key, values: {key: texts_of(raw_bytes(values), unwrap_text)},
    "result": _result,
    "error": lambda key, values: {key: pl.Series([v or None for v in values], dtype=pl.String)},
    "is_error": lambda key, values: {key: pl.Series(values, dtype=pl.Boolean)},
    "started_at": _times,
}


def _unfold(calls: list[Any]) -> None:
    """Give a call of the form `{"function": {"name", "arguments"}}` its name and arguments."""
    for call in calls:
        if call.function is not UNSET and bytes(call.function)[:1] == b"{":
            inner = _function.decode(bytes(call.function))[0]
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
    is_nested = _pick(fields, "result").dtype.is_nested()
    errors = [is_nested and t is not None and has_error(t.encode()) for t in texts["result"]]
    return pl.DataFrame(
        {
            **texts,
            **{key: _pick(fields, key).cast(pl.Float64, strict=False) for key in _NUMBERS},
            "args": unwrapped(texts["args"], unwrap_text),
            "error": texts["error"].replace(["", "false"], None),
            "is_error": _pick(fields, "is_error").cast(pl.String) == "true",
            "result_error": errors,
            "started_at": to_time(_pick(fields, "started_at")),
        },
        schema_overrides={"result_error": pl.Boolean},
    )


def _pick(fields: pl.DataFrame, key: str) -> pl.Series:
    for name in (key, *CALL_SYNONYMS.get(key, ())):
        if name in fields.columns:
            return fields[name]
    return pl.Series([None] * fields.height, dtype=pl.String)
