"""Whole series of JSON values, nested values and lists, turned at the speed of columns."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

if TYPE_CHECKING:
    import pyarrow as pa

_NEWEST = pl.CompatLevel.newest()


def raw_texts(raws: list[Any]) -> pl.Series:
    """JSON texts, spelled as written; None and null are null."""
    binary = pl.Series([None if raw is None else bytes(raw) for raw in raws], dtype=pl.Binary)
    texts = binary.cast(pl.String)
    return texts.set(texts == "null", None) if texts.len() else texts


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
    return values.cast(pl.String, strict=False)


def relist(items: pl.DataFrame, lengths: Sequence[int] | pl.Series) -> pl.Series:
    """A List column of the rows of `items`, so many in each list as `lengths` says."""
    import numpy as np
    import pyarrow as pa

    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(np.asarray(lengths, dtype=np.int64), out=offsets[1:])
    values = _one_chunk(items.rechunk().to_struct().to_arrow(compat_level=_NEWEST))
    series = pl.from_arrow(pa.LargeListArray.from_arrays(pa.array(offsets), values))
    assert isinstance(series, pl.Series)
    return series


def _one_chunk(array: "pa.Array | pa.ChunkedArray") -> "pa.Array":
    return array.combine_chunks() if hasattr(array, "combine_chunks") else array


def delist(lists: pl.Series) -> tuple[pl.Series, pl.Series]:
    """The items of all lists in one series, and how many each list holds."""
    lengths = lists.list.len().fill_null(0)
    return lists.filter(lengths > 0).explode(), lengths
