"""Scores in Parquet, JSON lines or CSV, scanned; what cannot be read is said in one line."""

import glob
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import polars as pl
import polars.selectors as cs

from batcheval.errors import NotScoresError, UnreadableFileError
from batcheval.stores import Address, Place, beginning, options_of


@contextmanager
def readable(path: Place | str) -> Iterator[None]:
    """Say in one line that the file cannot be read, whoever found out."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnreadableFileError(str(path), reason[:1].lower() + reason[1:]) from error
    except pl.exceptions.PolarsError as error:
        raise UnreadableFileError(str(path), str(error).partition("\n")[0]) from error


def scan(path: Place, is_parquet: bool) -> pl.LazyFrame:
    """The rows of a file; what is no Parquet is told by its ending.

    Raises:
        NotScoresError: the ending is none of scores, or there is not a byte in the file.
    """
    if is_parquet:
        return pl.scan_parquet(str(path), glob=False, storage_options=options_of(path))
    ending = path.suffix.lower()
    if ending not in _TEXT:
        found = "it is no Parquet file, nor does it end in .jsonl or .csv"
        raise NotScoresError(f"'{path}'", found)
    if not beginning(path, 1):
        raise NotScoresError(f"'{path}'", "it is empty")
    return _TEXT[ending](path)


def _scan_json(path: Place) -> pl.LazyFrame:
    return pl.scan_ndjson(
        str(path) if isinstance(path, Address) else glob.escape(str(path)),
        infer_schema_length=None,
        storage_options=options_of(path),
    )


def _scan_csv(path: Place) -> pl.LazyFrame:
    """The rows, where a column without any value has no type, as in JSON, instead of String."""
    rows = pl.scan_csv(
        str(path), infer_schema_length=None, glob=False, storage_options=options_of(path)
    )
    schema = rows.collect_schema()
    texts = [name for name, dtype in schema.items() if dtype == pl.String]
    empty = rows.select(cs.by_name(texts).is_null().all() & (pl.len() > 0)).collect()
    return rows.with_columns(pl.lit(None).alias(name) for name in texts if empty[name].item())


_TEXT: Final[dict[str, Callable[[Place], pl.LazyFrame]]] = {
    ".jsonl": _scan_json,
    ".ndjson": _scan_json,
    ".csv": _scan_csv,
}
