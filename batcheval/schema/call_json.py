"""Tool calls in JSON, decoded and put together as the canonical list."""

from collections.abc import Callable
from typing import Any, Final

import msgspec
import polars as pl
from msgspec import UNSET, Raw, UnsetType

from batcheval.schema.columns import CALL_SYNONYMS
from batcheval.schema.json_text import as_written, unwrap, unwrap_text
from batcheval.schema.series import raw_bytes, relist, texts_of
from batcheval.schema.shapes import NUMBER, RAW, WORD, Field, Shape
from batcheval.schema.states import has_error, is_truthy, settle
from batcheval.schema.times import to_time

WORDS: Final = ("id", "name", "state", "state_raw", "agent", "parent_id")
NUMBERS: Final = ("message", "duration_ms")
_LOST: Final = "batcheval:lost"  # set on a call of which a value could not be kept


def _said(raw: bytes) -> str | None:
    """What an error says; a falsy value says nothing."""
    return as_written(raw) if is_truthy(raw) else None


_KINDS: Final[dict[str, Field]] = {
    **dict.fromkeys(WORDS, WORD),
    **dict.fromkeys(NUMBERS, NUMBER),
    **dict.fromkeys(("args", "result", "function"), RAW),
    "error": Field(str | UnsetType | None, _said),
    "is_error": Field(bool | UnsetType | None, lambda raw: False),  # only `true` itself is a sign
    "started_at": Field(str | int | float | UnsetType | None, as_written),
}
_PLAIN: Final = {**dict.fromkeys(WORDS, pl.String), **dict.fromkeys(NUMBERS, pl.Float64)}
SHAPE: Final = Shape(
    "Call",
    {
        **{
            name: kind
            for key, kind in _KINDS.items()
            for name in (key, *CALL_SYNONYMS.get(key, ()))
        },
        _LOST: WORD,
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
        call, _, lost = SHAPE.decode(raw)
    except msgspec.ValidationError as error:
        raise ValueError(raw) from error
    if lost:
        setattr(call, SHAPE.attributes[_LOST], lost[0])
    return call


CALLS: Final = Field(list[SHAPE.struct] | UnsetType | None, calls_of)  # type: ignore[name-defined]


def calls_column(lists: list[list[Any] | None]) -> tuple[pl.Series, pl.Series | None]:
    """The canonical column of decoded calls, a list of them a row.

    Returns:
        The column, and a mask of the rows of whose calls a value could not be kept, if any.
    """
    calls = [call for found in lists if found for call in found]
    lengths = [len(found) if found else 0 for found in lists]
    flat = _flat(calls)
    column = relist(settle(flat), lengths)
    if not (_LOST in flat.columns and flat[_LOST].any()):
        return column, None
    return column, relist(flat.select(_LOST), lengths).list.eval(
        pl.element().struct.unnest()
    ).list.any()


def _flat(calls: list[Any]) -> pl.DataFrame:
    """A row a call: those of the fields that `settle` takes which any of the calls has."""
    _unfold(calls)
    flat: dict[str, Any] = {}
    for key in _KINDS:
        values = SHAPE.found(calls, key, CALL_SYNONYMS.get(key, ()))
        if values is not None and key != "function":
            flat |= _BUILD.get(key, _plain)(key, values)
    if (lost := SHAPE.found(calls, _LOST)) is not None:
        told = pl.Series([key is not None for key in lost])
        flat[_LOST] = told | flat[_LOST] if _LOST in flat else told
    return pl.DataFrame(flat or {"name": pl.Series([None] * len(calls), dtype=pl.String)})


def _plain(key: str, values: list[Any]) -> dict[str, pl.Series]:
    column = pl.Series(values, dtype=_PLAIN[key], strict=False)
    if key in WORDS or column.is_finite().all():
        return {key: column}
    lost = column.is_not_null() & ~column.is_finite()
    return {key: column.set(lost, None), _LOST: lost}


def _result(key: str, values: list[Any]) -> dict[str, pl.Series]:
    raws = raw_bytes(values)
    texts = texts_of(raws)
    errors = texts.str.contains('"error"', literal=True).fill_null(False)
    if errors.any():
        places = errors.arg_true()
        errors = errors.scatter(places, [has_error(raws[place]) for place in places])
    return {key: texts, "result_error": errors}


def _times(key: str, values: list[Any]) -> dict[str, pl.Series]:
    texts = pl.Series([None if v is None else str(v) for v in values], dtype=pl.String)
    times = to_time(texts)
    lost = (
        {} if times.null_count() == texts.null_count() else {_LOST: times.is_null() & (texts != "")}
    )
    return {key: times, **lost}


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
