"""How each column of the native layout is read from a record, and built from many."""

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import polars as pl

from batcheval.schema.call_json import calls_column
from batcheval.schema.call_shapes import CALLS
from batcheval.schema.columns import CANONICAL, JSON_TEXT, STANDS_FOR, TIME
from batcheval.schema.json_text import unwrap_text
from batcheval.schema.kinds import NUMBER, RAW, TEXT, TRUTH, Field
from batcheval.schema.lists import MESSAGES, TEXTS, messages_column, texts_column
from batcheval.schema.series import raw_bytes, texts_of
from batcheval.schema.times import to_time


class Reading(NamedTuple):
    """A field, and how the values of many records become a column.

    `build` returns the column and, where values could not be kept, a mask of those.
    """

    field: Field
    build: Callable[[list[Any]], tuple[pl.Series, pl.Series | None]]


def reading(name: str, dtype: pl.DataType) -> Reading:
    """How the column of this name and type is read."""
    name = STANDS_FOR.get(name, name)
    if name in _BY_NAME:
        return _BY_NAME[name]
    if name in JSON_TEXT:
        return Reading(RAW, _json_texts)
    return _BY_TYPE[dtype]


def _texts(values: list[Any]) -> tuple[pl.Series, None]:
    return pl.Series(values, dtype=pl.String), None


def _json_texts(values: list[Any]) -> tuple[pl.Series, None]:
    return texts_of(raw_bytes(values), unwrap_text), None


def _times(values: list[Any]) -> tuple[pl.Series, pl.Series]:
    texts = texts_of(raw_bytes(values)).replace("", None)
    times = to_time(texts)
    return times, times.is_null() & texts.is_not_null()


def _floats(values: list[Any]) -> tuple[pl.Series, pl.Series | None]:
    try:
        column = pl.Series(values, dtype=pl.Float64)
    except (TypeError, OverflowError):
        return _checked(values, _finite, pl.Float64())
    return (column, None) if column.is_finite().all() else _checked(values, _finite, pl.Float64())


def _finite(value: float) -> float:
    if not math.isfinite(float(value)):
        raise ValueError(value)
    return float(value)


def _integers(values: list[Any]) -> tuple[pl.Series, pl.Series | None]:
    if not any(type(value) is float for value in values):
        try:
            return pl.Series(values, dtype=pl.Int64), None
        except (TypeError, OverflowError):
            pass
    return _checked(values, _whole, pl.Int64())


def _whole(value: float) -> int:
    whole = int(_finite(value)) if isinstance(value, float) else value
    if whole != value or not -(2**63) <= whole < 2**63:
        raise ValueError(value)
    return whole


def _checked(
    values: list[Any], turn: Callable[[Any], Any], dtype: pl.DataType
) -> tuple[pl.Series, pl.Series]:
    """Values one by one, where not all of them fit."""
    kept: list[Any] = []
    for value in values:
        try:
            kept.append(None if value is None else turn(value))
        except (ValueError, OverflowError):
            kept.append(None)
    column = pl.Series(kept, dtype=dtype)
    return column, column.is_null() & pl.Series([value is not None for value in values])


def _truths(values: list[Any]) -> tuple[pl.Series, None]:
    return pl.Series(values, dtype=pl.Boolean), None


_BY_NAME: Final[dict[str, Reading]] = {
    "tool_calls": Reading(CALLS, calls_column),
    "messages": Reading(MESSAGES, lambda values: (messages_column(values), None)),
    "assistant_texts": Reading(TEXTS, lambda values: (texts_column(values), None)),
    "context": Reading(TEXTS, lambda values: (texts_column(values), None)),
}
_BY_TYPE: Final[dict[pl.DataType, Reading]] = {
    pl.String(): Reading(TEXT, _texts),
    pl.Int64(): Reading(NUMBER, _integers),
    pl.Float64(): Reading(NUMBER, _floats),
    pl.Boolean(): Reading(TRUTH, _truths),
    TIME: Reading(RAW, _times),
}
KNOWN: Final = frozenset(CANONICAL) - {"source", "line"}
# The columns that tell a record for a trace; a `run` or a `model` has many another thing too.
TELLING: Final = frozenset(
    {
        *("trace_id", "input", "output", "assistant_texts", "tool_calls", "messages"),
        *("expected", "expected_tool_calls", "expected_trajectory", "trajectory"),
        *STANDS_FOR,
    }
)
