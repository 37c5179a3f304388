"""Tool calls in JSON, decoded, put together as the canonical list."""

from collections.abc import Callable
from typing import Any, Final

import polars as pl

from batcheval.schema.call_shapes import KINDS, LOST, NUMBERS, SHAPE, WORDS, unfold, widened
from batcheval.schema.columns import CALL_SYNONYMS
from batcheval.schema.json_text import unwrap_text
from batcheval.schema.series import raw_bytes, relist, texts_of
from batcheval.schema.shapes import Shape
from batcheval.schema.states import has_error, settle
from batcheval.schema.times import to_time

_PLAIN: Final = {**dict.fromkeys(WORDS, pl.String), **dict.fromkeys(NUMBERS, pl.Float64)}


def calls_column(
    lists: list[list[Any] | None], shape: Shape = SHAPE
) -> tuple[pl.Series, pl.Series | None]:
    """The canonical column of decoded calls, a list of them a row.

    Args:
        lists: calls of `shape`; those that had to be converted are of `SHAPE`.
        shape: the one that they were decoded by.

    Returns:
        The column, and a mask of the rows of whose calls a value could not be kept, if any.
    """
    calls = [call for found in lists if found for call in found]
    lengths = [len(found) if found else 0 for found in lists]
    if shape is not SHAPE and not all(type(call) is shape.struct for call in calls):
        calls, shape = widened(calls, shape), SHAPE
    flat = _flat(calls, shape)
    column = relist(settle(flat), lengths)
    if not (LOST in flat.columns and flat[LOST].any()):
        return column, None
    return column, relist(flat.select(LOST), lengths).list.eval(
        pl.element().struct.unnest()
    ).list.any()


def _flat(calls: list[Any], shape: Shape) -> pl.DataFrame:
    """A row a call: those of the fields that `settle` takes which any of the calls has."""
    if "function" in shape.fields:
        calls, shape = widened(calls, shape), SHAPE
        unfold(calls)
    flat: dict[str, Any] = {}
    for key in KINDS:
        values = shape.found(calls, key, CALL_SYNONYMS.get(key, ()))
        if values is not None and key != "function":
            flat |= field_of(key, values)
    if (lost := shape.found(calls, LOST)) is not None:
        told = pl.Series([key is not None for key in lost])
        flat[LOST] = told | flat[LOST] if LOST in flat else told
    return pl.DataFrame(flat or {"name": pl.Series([None] * len(calls), dtype=pl.String)})


def field_of(key: str, values: list[Any]) -> dict[str, pl.Series]:
    """One field of many calls, None where a call lacks it, as `settle` takes it."""
    return _BUILD.get(key, _plain)(key, values)


def _plain(key: str, values: list[Any]) -> dict[str, pl.Series]:
    column = pl.Series(values, dtype=_PLAIN[key], strict=False)
    if key in WORDS or column.is_finite().all():
        return {key: column}
    lost = column.is_not_null() & ~column.is_finite()
    return {key: column.set(lost, None), LOST: lost}


def _result(key: str, values: list[Any]) -> dict[str, pl.Series]:
    raws = raw_bytes(values)
    errors = [raw[:1] == b"{" and b'"error"' in raw and has_error(raw) for raw in raws]
    signs = {"result_error": pl.Series(errors, dtype=pl.Boolean)} if True in errors else {}
    return {key: texts_of(raws), **signs}


def _times(key: str, values: list[Any]) -> dict[str, pl.Series]:
    texts = pl.Series(values, dtype=pl.String, strict=False)
    times = to_time(texts)
    lost = (
        {} if times.null_count() == texts.null_count() else {LOST: times.is_null() & (texts != "")}
    )
    return {key: times, **lost}


_BUILD: Final[dict[str, Callable[[str, list[Any]], dict[str, pl.Series]]]] = {
    "args": lambda key, values: {key: texts_of(raw_bytes(values), unwrap_text)},
    "result": _result,
    "error": lambda key, values: {key: pl.Series([v or None for v in values], dtype=pl.String)},
    "is_error": lambda key, values: {key: pl.Series(values, dtype=pl.Boolean)},
    "started_at": _times,
}
