"""Messages, and lists of texts: from JSON or from any column to the canonical list."""

from typing import Any, Final

import msgspec
import polars as pl
from msgspec import Raw

from batcheval.schema.columns import MESSAGE
from batcheval.schema.json_text import text_of, unwrap
from batcheval.schema.kinds import TEXT, WORD, Field
from batcheval.schema.series import delist, json_texts, relist, relisted
from batcheval.schema.shapes import Shape

SHAPE: Final = Shape("Message", {"role": WORD, "content": TEXT, "name": WORD, "tool_call_id": WORD})
_raws = msgspec.json.Decoder(list[Raw]).decode


def messages_of(raw: bytes) -> list[Any]:
    """The messages in a JSON value: a list of objects or texts, or a string of such.

    Raises:
        ValueError: the value holds something that is no message.
    """
    return [_message(item) for item in _items(raw)]


def _message(raw: bytes) -> Any:
    if raw[:1] == b'"':
        return SHAPE.struct(content=msgspec.json.decode(raw))
    try:
        return SHAPE.decode(raw)[0]
    except msgspec.ValidationError as error:
        raise ValueError(raw) from error


def texts_of(raw: bytes) -> list[str | None]:
    """The texts in a JSON value: a list of values, or one."""
    return [text_of(item) for item in _items(raw)]


def _items(raw: bytes) -> list[bytes]:
    text = (unwrap(raw) or "").strip()
    if text[:1] != "[":
        return [raw] if text else []
    return [item for item in map(bytes, _raws(text)) if item != b"null"]


MESSAGES: Final = Field(
    list[SHAPE.struct] | msgspec.UnsetType | None,  # type: ignore[name-defined]
    messages_of,
)
TEXTS: Final = Field(list[str] | msgspec.UnsetType | None, texts_of)


def messages_column(lists: list[list[Any] | None]) -> pl.Series:
    """The canonical column of decoded messages, a list of them a row."""
    messages = [message for found in lists if found for message in found]
    none = [None] * len(messages)
    fields = {key: SHAPE.found(messages, key) or none for key in SHAPE.fields}
    flat = pl.DataFrame(fields, schema=MESSAGE.to_schema())
    return relist(flat, [len(found) if found else 0 for found in lists])


def column_of_messages(lists: list[list[dict[str, Any]] | None]) -> pl.Series:
    """The canonical column of messages that are objects of Python, all their fields texts."""
    messages = [message for found in lists if found for message in found]
    fields = {key: [message.get(key) for message in messages] for key in SHAPE.fields}
    flat = pl.DataFrame(fields, schema=MESSAGE.to_schema())
    return relist(flat, [len(found) if found else 0 for found in lists])


def texts_column(lists: list[list[str | None] | None]) -> pl.Series:
    """A column of lists of texts, where nothing is an empty list."""
    texts = pl.Series([text for found in lists if found for text in found], dtype=pl.String)
    return relisted(texts, [len(found) if found else 0 for found in lists])


def normal_messages(values: pl.Series) -> pl.Series:
    """The canonical column from a List(Struct) with some of its fields, or from JSON texts."""
    if isinstance(values.dtype, pl.List) and isinstance(values.dtype.inner, pl.Struct):
        items, lengths = delist(values)
        fields = items.struct.unnest()
        none = pl.Series([None] * fields.height, dtype=pl.String)
        texts = {key: json_texts(fields[key]) if key in fields else none for key in SHAPE.fields}
        content = texts["content"]
        if "content" in fields and fields["content"].dtype.is_nested():
            content = pl.Series(
                [text and text_of(text.encode()) for text in content], dtype=pl.String
            )
        return relist(pl.DataFrame({**texts, "content": content}), lengths)
    texts_only = json_texts(values)
    return messages_column([t and _or_none(messages_of, t) for t in texts_only])


def normal_texts(values: pl.Series) -> pl.Series:
    """A column of lists of texts from lists of anything, or from JSON texts or plain ones."""
    if isinstance(values.dtype, pl.List) and not values.dtype.inner.is_nested():
        return values.cast(pl.List(pl.String)).list.drop_nulls().fill_null([])
    return texts_column([t and _plain_or_list(t) for t in json_texts(values)])


def _plain_or_list(text: str) -> list[str | None]:
    found = _or_none(texts_of, text) if text[:1] in "[" else None
    return [text] if found is None else found


def _or_none(decode: Any, text: str) -> Any:
    try:
        return decode(text.encode())
    except (ValueError, msgspec.DecodeError, RecursionError):
        return None
