"""The elements behind a coverage, as lists of texts."""

from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from batcheval.checks.elements.kernel import PLACE, PLACE_BITS, Coverage, coverage

LISTS: Final = ("input_elements", "output_elements", "missing_elements", "uncovered")
EVIDENCE: Final = pl.Struct(dict.fromkeys(LISTS, pl.List(pl.String)))


def evidence(wanted: pl.Series, offered: pl.Series, split_camel_case: bool) -> pl.Series:
    """Of each row the elements of both texts, and those that the second lacks or leaves uncovered.

    Example:
        >>> evidence(pl.Series(["cats ran"]), pl.Series(["A cat."]), False).item()
        ... # doctest: +NORMALIZE_WHITESPACE
        {'input_elements': ['cats', 'run'], 'output_elements': ['a', 'cat'],
         'missing_elements': ['cats', 'run'], 'uncovered': ['run']}
    """
    parts = [_lists(part) for part in coverage(wanted, offered, split_camel_case)]
    return pl.concat([pl.Series([], dtype=EVIDENCE), *parts])


def _lists(part: Coverage) -> pl.Series:
    asked, given = map(_in_order, part.spoken)
    at = np.searchsorted(part.wanted, asked)
    lists = asked, given, asked[~part.exact[at]], asked[~part.covered[at]]
    texts = pl.Series(part.texts, dtype=pl.String)
    columns = [_gathered(texts, keys, part.rows) for keys in lists]
    return pl.DataFrame(dict(zip(LISTS, columns, strict=True))).to_struct()


def _in_order(keys: NDArray[Any]) -> NDArray[Any]:
    """The keys once each, as they first come."""
    order = np.argsort(keys, kind="stable")
    first = order[np.diff(keys[order], prepend=-1) > 0]
    return keys[np.sort(first)]


def _gathered(texts: pl.Series, keys: NDArray[Any], rows: int) -> pl.Series:
    import pyarrow as pa

    counts = np.bincount(keys >> PLACE_BITS, minlength=rows)
    offsets = pa.array(np.append(0, np.cumsum(counts)), pa.int64())
    values = texts.gather(keys & PLACE).to_arrow()
    return pl.Series(pl.from_arrow(pa.LargeListArray.from_arrays(offsets, values)))
