"""The slices to search: those of one column, and those of two, as rows and numbers of slices."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import polars as pl

from batcheval.comparing.buckets import sliced
from batcheval.comparing.pairs import EXTRA
from batcheval.comparing.units import Codes

MOST_VALUES: Final = 50  # of one column, the most frequent ones

Term: TypeAlias = tuple[str, str | None]  # a column and a value
Terms: TypeAlias = tuple[Term, ...]


class Column(NamedTuple):
    """The slices of one column.

    Attributes:
        name: the column.
        values: of the slices that are large enough, in words; None is null.
        rows: which pairs are in one of them; a pair of several stands several times.
        codes: in which.
        left_out: how many large slices were left out, beyond the 50 largest.
    """

    name: str
    values: list[str | None]
    rows: Codes
    codes: Codes
    left_out: int


class Region(NamedTuple):
    """Slices that are looked at together: those of one column, or of two.

    Attributes:
        terms: what each slice is.
        rows: which pairs are in one of them.
        codes: in which.
    """

    terms: list[Terms]
    rows: Codes
    codes: Codes


def column_of(frame: pl.DataFrame, name: str, min_size: int) -> Column:
    """The slices of a column of the pairs that have `min_size` pairs or more.

    Raises:
        BadArgumentError: the column holds lists of other things than texts, structs or bytes.
    """
    found = sliced(frame[EXTRA + name].alias(name), "find_slices")
    large = found.group_by("value", maintain_order=True).len().filter(pl.col("len") >= min_size)
    kept = large.sort("len", descending=True, maintain_order=True).head(MOST_VALUES)
    kept = kept.select("value").with_row_index("code")
    members = found.join(kept, on="value", nulls_equal=True, maintain_order="left")
    rows, codes = (members[c].to_numpy().astype(np.intp) for c in ("row", "code"))
    return Column(name, kept["value"].to_list(), rows, codes, large.height - kept.height)


def regions(columns: Sequence[Column], min_size: int) -> Iterator[Region]:
    """The slices of each column, then those of each two columns that are large enough."""
    for column in columns:
        if column.values:
            terms: list[Terms] = [((column.name, value),) for value in column.values]
            yield Region(terms, column.rows, column.codes)
    for place, left in enumerate(columns):
        for right in columns[place + 1 :]:
            crossed = _crossed(left, right, min_size)
            if crossed.terms:
                yield crossed


def rows_in(columns: Sequence[Column], terms: Sequence[Term]) -> Codes:
    """The pairs of one slice, in order."""
    known = {column.name: column for column in columns}
    found = None
    for name, value in terms:
        column = known[name]
        own = column.rows[column.codes == column.values.index(value)]
        found = own if found is None else np.intersect1d(found, own, assume_unique=True)
    return np.empty(0, np.intp) if found is None else found


def _crossed(left: Column, right: Column, min_size: int) -> Region:
    sides = [
        pl.DataFrame({"row": column.rows, name: column.codes})
        for column, name in ((left, "left"), (right, "right"))
    ]
    both = sides[0].join(sides[1], on="row")
    width = max(len(right.values), 1)
    cells = (both["left"] * width + both["right"]).to_numpy()
    sizes = np.bincount(cells, minlength=len(left.values) * width)
    large = np.flatnonzero(sizes >= min_size)
    number = np.full(sizes.size, -1)
    number[large] = np.arange(large.size)
    codes = number[cells]
    terms: list[Terms] = [
        ((left.name, left.values[cell // width]), (right.name, right.values[cell % width]))
        for cell in large.tolist()
    ]
    return Region(terms, both["row"].to_numpy()[codes >= 0], codes[codes >= 0])
