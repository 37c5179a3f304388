"""The runs of a batch along paths: one for all of them, or one a row."""

from functools import lru_cache

import numpy as np
import polars as pl

from batcheval.checks.paths.automaton import Automaton, automaton_of
from batcheval.checks.paths.parsing import tree_of
from batcheval.checks.paths.walking import Ints, walked
from batcheval.errors import BadArgumentError


@lru_cache(maxsize=256)
def compiled(path: str) -> Automaton:
    """The automaton of a path.

    Raises:
        BadArgumentError: it is none.
    """
    return automaton_of(tree_of(path), path)


def arrived(called: pl.Series, paths: pl.Series) -> pl.Series:
    """Whether calls are a way along their path; null where that cannot be read.

    Args:
        called: lists of names.
        paths: as many paths.

    Example:
        >>> called = pl.Series([["a", "b"], ["a"], ["a"]])
        >>> arrived(called, pl.Series(["a b?", "a b", "a ("])).to_list()
        [True, False, None]
    """
    return _walk(called, paths)[1]


def kept(called: pl.Series, paths: pl.Series) -> pl.Series:
    """How many calls, from the first on, begin a way along the path; null as in `arrived`.

    Example:
        >>> kept(pl.Series([["a", "b", "c"]]), pl.Series(["a+ c"])).to_list()
        [1]
    """
    return _walk(called, paths)[0]


def _walk(called: pl.Series, paths: pl.Series) -> tuple[pl.Series, pl.Series]:
    steps = np.full(len(called), -1, np.int64)
    ends = np.zeros(len(called), np.bool_)
    for path, rows in _by_path(paths):
        try:
            part = called if len(rows) == len(called) else called.gather(rows)
            steps[rows], ends[rows] = walked(part, compiled(path))
        except BadArgumentError:  # of this row, whose path is no path
            continue
    unread = pl.Series(steps < 0)
    return pl.Series(steps).set(unread, None), pl.Series(ends).set(unread, None)


def _by_path(paths: pl.Series) -> list[tuple[str, Ints]]:
    if paths.n_unique() <= 1:
        known = paths.head(1).drop_nulls()
        return [(path, np.arange(len(paths))) for path in known]
    rows = paths.to_frame("path").with_row_index("row").drop_nulls()
    groups = rows.group_by("path", maintain_order=True).agg(pl.col("row").cast(pl.Int64))
    return [(path, at.to_numpy()) for path, at in zip(groups["path"], groups["row"], strict=True)]
