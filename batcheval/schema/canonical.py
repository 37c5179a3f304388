"""Any frame as the canonical table."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import polars as pl

from batcheval.errors import BadArgumentError
from batcheval.schema.calls import normal_calls
from batcheval.schema.columns import CANONICAL, JSON_TEXT, SYNONYMS, TIME
from batcheval.schema.json_text import text_of, unwrap_text
from batcheval.schema.lists import normal_messages, normal_texts
from batcheval.schema.numbers import to_number
from batcheval.schema.series import json_texts, unwrapped
from batcheval.schema.times import to_time

# A LazyFrame, a DataFrame, or anything that offers an Arrow stream (a pyarrow table, say).
Frame: TypeAlias = pl.LazyFrame | pl.DataFrame | Any

# Told the column and how many of its values could not be kept.
OnLoss: TypeAlias = Callable[[str, int], None]


def canonical(frame: Frame, on_loss: OnLoss | None = None) -> pl.LazyFrame:
    """Bring a frame to the canonical columns and types, lazily; columns of its own follow.

    A missing `input` or `output` becomes `""`, a missing list `[]`; whatever else is missing is
    null. Synonyms such as `question` or `toolCalls` are taken where the canonical name is absent.
    A frame that is canonical already comes out as it is.

    Args:
        frame: a row a trace.
        on_loss: called while the table is read, where values of another type cannot be kept.

    Example:
        >>> traces = pl.DataFrame({"id": [7], "question": ["Where?"], "response": [None]})
        >>> canonical(traces).select("trace_id", "input", "output").collect().row(0)
        ('7', 'Where?', '')
    """
    lazy = frame.lazy() if isinstance(frame, pl.LazyFrame | pl.DataFrame) else _from_arrow(frame)
    have = lazy.collect_schema()
    if "line" not in have:
        lazy = lazy.with_columns(pl.int_range(1, pl.len() + 1, dtype=pl.Int64).alias("line"))
        have = lazy.collect_schema()
    columns = [_column(name, dtype, have, on_loss) for name, dtype in CANONICAL.items()]
    return lazy.select(*columns, pl.exclude(*CANONICAL)).with_columns(_named)


def _from_arrow(table: Any) -> pl.LazyFrame:
    if not hasattr(table, "__arrow_c_stream__"):
        raise BadArgumentError(
            "traces", "a frame or an Arrow table (read_traces reads files)", table
        )
    frame = pl.from_arrow(table)
    return (frame.to_frame() if isinstance(frame, pl.Series) else frame).lazy()


def _name_rows(rows: pl.Series) -> pl.Series:
    """A missing trace id becomes `<file name>:<line>`, or `row:<n>` where there is no file."""
    ids = rows.struct.field("trace_id")
    if not ids.null_count():
        return ids
    file = pl.col("source").str.split("/").list.last().fill_null("row")
    name = pl.coalesce("trace_id", pl.format("{}:{}", file, "line"))
    return rows.struct.unnest().select(name).to_series()


_named = (
    pl.struct("trace_id", "source", "line")
    .map_batches(_name_rows, return_dtype=pl.String, is_elementwise=True)
    .alias("trace_id")
)


def _column(name: str, dtype: pl.DataType, have: pl.Schema, on_loss: OnLoss | None) -> pl.Expr:
    found = next((n for n in (name, *SYNONYMS.get(name, ())) if n in have), None)
    if found is None:
        missing: Any = [] if dtype.is_nested() else "" if name in ("input", "output") else None
        return pl.lit(missing, dtype).alias(name)
    expr = pl.col(found)
    if have[found] != dtype or name in JSON_TEXT or name == "tool_calls":
        turn = partial(_turn, name=name, on_loss=on_loss)
        expr = expr.map_batches(turn, return_dtype=dtype, is_elementwise=True)
    if dtype.is_nested() and name != "tool_calls":
        expr = expr.list.drop_nulls()
    if dtype.is_nested():
        expr = expr.fill_null([])
    elif name in ("input", "output"):
        expr = expr.fill_null("")
    return expr.alias(name)


def _turn(values: pl.Series, name: str, on_loss: OnLoss | None) -> pl.Series:
    """A column of any type as the canonical one of that name."""
    turned = _RULES.get(name, partial(_plain, dtype=CANONICAL[name]))(values)
    if on_loss is not None:
        kept = turned.list.len() > 0 if turned.dtype.is_nested() else turned.is_not_null()
        if lost := int((_says_something(values) & ~kept.fill_null(False)).sum()):
            on_loss(name, lost)
    return turned


def _says_something(values: pl.Series) -> pl.Series:
    if values.dtype == pl.String:
        return ~values.str.strip_chars().is_in(["", "[]", "null"]).fill_null(True)
    if isinstance(values.dtype, pl.List):
        return (values.list.len() > 0).fill_null(False)
    return values.is_not_null()


def _plain(values: pl.Series, dtype: pl.DataType) -> pl.Series:
    if dtype == TIME:
        return to_time(values)
    if dtype == pl.String:
        return _text(values)
    return to_number(values, dtype)


def _text(values: pl.Series) -> pl.Series:
    texts = json_texts(values)
    if not isinstance(values.dtype, pl.List):
        return texts
    return pl.Series([text and text_of(text.encode()) for text in texts], dtype=pl.String)


def _json(values: pl.Series) -> pl.Series:
    return unwrapped(json_texts(values), unwrap_text)


_RULES: dict[str, Callable[[pl.Series], pl.Series]] = {
    "tool_calls": normal_calls,
    "messages": normal_messages,
    "assistant_texts": normal_texts,
    "context": normal_texts,
    **dict.fromkeys(JSON_TEXT, _json),
}
