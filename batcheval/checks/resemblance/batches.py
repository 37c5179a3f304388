"""The rows of a batch against their references: each distinct pair is judged once."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from batcheval.checks.resemblance.references import Prepare, changed, listed

Numbers: TypeAlias = NDArray[np.float64]


class Measure(NamedTuple):
    """A measure of how alike two texts are.

    Attributes:
        words: what a reason calls it, as in "a BLEU score of 0.5".
        judge: gets texts and what each is held against, and returns a row of numbers for each of
            the pairs: the score, then the `parts`; NaN where a pair is too long to be judged.
        parts: further numbers, by name.
        pooled: all references of a text are judged at once: `judge` gets lists of them.
    """

    words: str
    judge: Callable[[pl.Series, pl.Series], Numbers]
    parts: tuple[str, ...] = ()
    pooled: bool = False

    @property
    def width(self) -> int:
        """How many numbers a row gets: the score, the parts, and which reference is the nearest."""
        return len(self.parts) + 2


def judged(
    texts: pl.Series, wanted: pl.Series, measure: Measure, several: bool, prepare: Prepare
) -> Numbers:
    """The numbers of each row; NaN where a text or its references are missing or too long.

    Args:
        texts: prepared already.
        wanted: the references, texts or lists of them.
        measure: how alike they are.
        several: see `listed`.
        prepare: what is to be done to references.
    """
    found = np.full((len(texts), measure.width), np.nan)
    rows = pl.DataFrame({"text": texts}).with_row_index("row")
    if isinstance(wanted.dtype, pl.List) or several or measure.pooled:
        rows = rows.with_columns(wanted=listed(wanted, several))
    else:
        rows = rows.with_columns(wanted=wanted.cast(pl.String))
    rows = rows.drop_nulls().with_columns(place=pl.lit(0.0))
    if rows.schema["wanted"] == pl.List(pl.String) and not measure.pooled:
        places = pl.int_ranges(pl.col("wanted").list.len())
        rows = rows.with_columns(place=places).explode("wanted", "place")
    if rows.height:
        rows = rows.with_columns(wanted=changed(rows["wanted"], prepare))
        numbers = np.column_stack([_distinct(rows, measure), rows["place"].to_numpy()])
        best = _best(rows["row"].to_numpy(), numbers[:, 0])
        found[rows["row"].to_numpy()[best]] = numbers[best]
    found[np.isnan(found[:, 0])] = np.nan
    return found


def _distinct(rows: pl.DataFrame, measure: Measure) -> Numbers:
    """The numbers of all pairs: equal ones are not judged again."""
    pairs = rows.select("text", "wanted")
    if pairs.hash_rows().n_unique() == pairs.height:  # unequal hashes: unequal pairs
        return measure.judge(pairs["text"], pairs["wanted"])
    groups = pairs.with_row_index("at").group_by("text", "wanted", maintain_order=True).agg("at")
    judged = measure.judge(groups["text"], groups["wanted"])
    numbers = np.empty((pairs.height, judged.shape[1]))
    numbers[groups["at"].explode().to_numpy()] = np.repeat(judged, groups["at"].list.len(), axis=0)
    return numbers


def _best(rows: NDArray[Any], scores: Numbers) -> NDArray[Any]:
    """Where the first of the highest scores of each row stands; unjudged ones come last."""
    order = np.lexsort((np.arange(len(rows)), -np.nan_to_num(scores, nan=-1.0), rows))
    return order[np.flatnonzero(np.diff(rows[order], prepend=-1))]
