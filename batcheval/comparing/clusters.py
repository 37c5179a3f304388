"""Which pairs belong together: trials of one task, or whatever a column says."""

from typing import NamedTuple

import numpy as np
import polars as pl

from batcheval.comparing.distinct import KEY
from batcheval.comparing.keys import TRIAL, as_text
from batcheval.comparing.pairs import EXTRA, Pairs
from batcheval.comparing.units import Codes
from batcheval.repeats.records import recurring


class Clusters(NamedTuple):
    """The clusters that pairs fall into.

    Attributes:
        codes: a number for each pair, from 0.
        number: how many there are.
        by: the columns that tell them.
    """

    codes: Codes
    number: int
    by: tuple[str, ...]


def clusters_of(pairs: Pairs, cluster: str | None) -> Clusters | None:
    """The clusters by a column; without one, tasks that several trials were paired of.

    A pair whose cluster is null stands alone. None if every pair does and no column was named.

    Raises:
        BadArgumentError: the column is a list or struct.
    """
    if cluster is not None:
        values = pairs.frame.select(pl.col(EXTRA + cluster).alias(cluster))
        return numbered(
            values.select(as_text(cluster, values.schema[cluster], "cluster")), (cluster,)
        )
    names = tuple(name for name in pairs.key if name != TRIAL)
    if not names or len(names) == len(pairs.key):
        return None
    columns = [KEY + name for name in names]
    hashes = pairs.frame.select(pl.struct(columns).hash(seed=0)).to_series().to_numpy()
    if not recurring(hashes).size:
        return None
    found = numbered(pairs.frame.select(columns), names)
    return found if found.number < pairs.frame.height else None


def recoded(codes: Codes) -> Codes | None:
    """The codes of some of the pairs, from 0 without gaps; None if none stands twice."""
    kept, again = np.unique(codes, return_inverse=True)
    return None if kept.size == codes.size else again.astype(np.intp)


def numbered(values: pl.DataFrame, by: tuple[str, ...]) -> Clusters:
    """Rows with equal values are a cluster; one with a null among them stands alone."""
    known = values.drop_nulls().unique(maintain_order=True).with_row_index("\0code")
    found = values.join(known, on=values.columns, how="left", maintain_order="left")["\0code"]
    alone = found.is_null().to_numpy()
    codes = found.fill_null(0).to_numpy().astype(np.intp)
    codes[alone] = known.height + np.arange(alone.sum())
    return Clusters(codes, known.height + int(alone.sum()), by)
