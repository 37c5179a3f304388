"""Whole series of JSON values, nested values and lists, turned at the speed of columns."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import polars as pl

if TYPE_CHECKING:
    import pyarrow as pa

_decode_strings = msgspec.json.Decoder(list[str]).decode
_NEWEST = pl.CompatLevel.newest()


def raw_bytes(raws: list[Any]) -> list[bytes]:
    """`msgspec.Raw` values as bytes, None as `null`."""
    if None in raws:
        return [b"null" if raw is None else bytes(raw) for raw in raws]
    return list(map(bytes, raws))


def texts_of(raws: list[bytes], rule: Callable[[str], str] | None = None) -> pl.Series:
    """Raw JSON values as texts: a string is its text, null is null, any other value as written.

    Args:
        raws: the values.
        rule: what is to become of the texts of strings.
    """
    quoted = [raw for raw in raws if raw[:1] == b'"']
    if not quoted and b"null" not in raws:
        return pl.Series(raws, dtype=pl.Binary).cast(pl.String)
    strings = _decode_strings(b"[" + b",".join(quoted) + b"]")
    if rule is not None:
        strings = list(map(rule, strings))
    if len(strings) == len(raws):
        return pl.Series(strings, dtype=pl.String)
    left = iter(strings)
    texts = [
        next(left) if raw[:1] == b'"' else None if raw == b"null" else raw.decode() for raw in raws
    ]
    return pl.Series(texts, dtype=pl.String)


def unwrapped(texts: pl.Series, rule: Callable[[str], Any]) -> pl.Series:
    """Put `rule(text)` in the place of every text that is a JSON string; the others stay."""
    places = texts.str.starts_with('"').fill_null(False).arg_true()
    if not places.len():
        return texts
    return texts.scatter(places, pl.Series([rule(text) for text in texts.gather(places)]))


def json_texts(values: pl.Series) -> pl.Series:
    """Values of any type as texts: a text is itself, a nested value its JSON."""
    if isinstance(values.dtype, pl.Struct):
        encoded = values.struct.json_encode()
        return encoded.set(values.is_null(), None)
    if isinstance(values.dtype, pl.List | pl.Array):
        boxed = values.to_frame("v").to_struct().struct.json_encode()
        encoded = boxed.str.strip_prefix('{"v":').str.strip_suffix("}")
        return encoded.set(values.is_null(), None)
    if values.dtype == pl.Binary:
        texts = [None if v is None else v.decode("utf-8", "replace") for v in values]
        return pl.Series(texts, dtype=pl.String)
    try:
        return values.cast(pl.String)
    except pl.exceptions.PolarsError:  # a type that polars has no text for, such as Duration
        return pl.Series([None if v is None else str(v) for v in values], dtype=pl.String)


def relist(items: pl.DataFrame, lengths: Sequence[int] | pl.Series) -> pl.Series:
    """A List column of the rows of `items`, so many in each list as `lengths` says."""
    return relisted(items.rechunk().to_struct(), lengths)


def relisted(items: pl.Series, lengths: Sequence[int] | pl.Series) -> pl.Series:
    """A List column of the values of one series, so many in each list as `lengths` says."""
    import numpy as np
    import pyarrow as pa

    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(np.asarray(lengths, dtype=np.int64), out=offsets[1:])
    # `pa.array` would look for pandas, and import it where it is installed.
    places = pa.Array.from_buffers(pa.int64(), len(offsets), [None, pa.py_buffer(offsets)])
    values = _one_chunk(items.to_arrow(compat_level=_NEWEST))
    series = pl.from_arrow(pa.LargeListArray.from_arrays(places, values))
    assert isinstance(series, pl.Series)
    return series


def _one_chunk(array: "pa.Array | pa.ChunkedArray") -> "pa.Array":
    return array.combine_chunks() if hasattr(array, "combine_chunks") else array


def delist(lists: pl.Series) -> tuple[pl.Series, pl.Series]:
    """The items of all lists in one series, and how many each list holds."""
    lists = lists.list.drop_nulls()
    lengths = lists.list.len().fill_null(0)
    return lists.filter(lengths > 0).explode(), lengths
