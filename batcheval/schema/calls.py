"""Tool calls in a column of any type, as the canonical list."""

from typing import Any

import msgspec
import polars as pl

from batcheval.schema.call_json import calls_column
from batcheval.schema.call_shapes import NUMBERS, WORDS, calls_of
from batcheval.schema.columns import CALL, CALL_SYNONYMS, STATES
from batcheval.schema.json_text import unwrap_text
from batcheval.schema.series import delist, json_texts, relist, unwrapped
from batcheval.schema.states import has_error, settle
from batcheval.schema.times import to_time


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
    return calls_column([None if text is None else _calls_or_none(text) for text in texts])[0]


def _calls_or_none(text: str) -> list[Any] | None:
    try:
        return calls_of(text.encode())
    except (ValueError, msgspec.DecodeError, RecursionError):
        return None


def _are_settled(values: pl.Series) -> bool:
    states = values.list.eval(
        pl.element().struct.field("state").is_in(STATES).fill_null(False)
    ).list.all()
    return bool(states.all())


def _flat_of_struct(fields: pl.DataFrame) -> pl.DataFrame:
    if isinstance(fields.schema.get("function"), pl.Struct):
        inner = fields["function"].struct.unnest().rename({"name": "tool_name"}, strict=False)
        fields = fields.with_columns(c for c in inner if c.name not in fields.columns)
    words = [key for key in WORDS if key != "state_raw" or key in fields.columns]
    texts = {key: json_texts(_pick(fields, key)) for key in (*words, "args", "result", "error")}
    is_nested = _pick(fields, "result").dtype.is_nested()
    errors = [is_nested and t is not None and has_error(t.encode()) for t in texts["result"]]
    return pl.DataFrame(
        {
            **texts,
            **{key: _pick(fields, key).cast(pl.Float64, strict=False) for key in NUMBERS},
            "args": unwrapped(texts["args"], unwrap_text),
            "error": texts["error"].replace(["", "false"], None),
            "is_error": _pick(fields, "is_error").cast(pl.String) == "true",
            "result_error": errors,
            "started_at": to_time(_pick(fields, "started_at")),
        },
        schema_overrides={"result_error": pl.Boolean},
    )


def _pick(fields: pl.DataFrame, key: str) -> pl.Series:
    """The field, or where it is null its synonyms: a column does not tell null from missing."""
    names = [name for name in (key, *CALL_SYNONYMS.get(key, ())) if name in fields.columns]
    if not names:
        return pl.Series([None] * fields.height, dtype=pl.String)
    same = [name for name in names if fields.schema[name] == fields.schema[names[0]]]
    return fields.select(pl.coalesce(same)).to_series()
