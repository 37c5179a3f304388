"""Which pairs belong together: trials of one task, or whatever a column says."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from batcheval.comparing.distinct import KEY
from batcheval.comparing.keys import TRIAL
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
    """
    if cluster is not None:
        return _numbered(pairs.frame, [EXTRA + cluster], (cluster,))
    names = tuple(name for name in pairs.key if name != TRIAL)
    if not names or len(names) == len(pairs.key):
        return None
    columns = [KEY + name for name in names]
    hashes = pairs.frame.select(pl.struct(columns).hash(seed=0)).to_series().to_numpy()
    if not recurring(hashes).size:
        return None
    found = _numbered(pairs.frame, columns, names)
    return found if found.number < pairs.frame.height else None


def recoded(codes: Codes) -> Codes | None:
    """The codes of some of the pairs, from 0 without gaps; None if none stands twice."""
    kept, again = np.unique(codes, return_inverse=True)
    return None if kept.size == codes.size else again.astype(np.intp)


def _numbered(frame: pl.DataFrame, columns: Sequence[str], by: tuple[str, ...]) -> Clusters:
    values = frame.select(columns)
    known = values.drop_nulls().unique(maintain_order=True).with_row_index("code")
    found = values.join(known, on=columns, how="left", maintain_order="left")["code"]
    alone = found.is_null().to_numpy()
    codes = found.fill_null(0).to_numpy().astype(np.intp)
    codes[alone] = known.height + np.arange(alone.sum())
    return Clusters(codes, known.height + int(alone.sum()), by)
