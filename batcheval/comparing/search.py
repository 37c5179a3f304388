"""find_slices(): in which slices of one or two columns the candidate is worse."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import polars as pl

from batcheval.comparing.clusters import clusters_of
from batcheval.comparing.pairing import pair
from batcheval.comparing.regions import MOST_VALUES, Column, column_of
from batcheval.comparing.rows import settings_of
from batcheval.comparing.runs import Source, open_run, shared_scorers
from batcheval.comparing.slicing_columns import NAMED, columns_to_search
from batcheval.comparing.trials import searched
from batcheval.comparing.worst import worst
from batcheval.errors import BadArgumentError, NoSharedScorersError
from batcheval.schema import Frame, canonical

MIN_SIZE: Final = 30


@dataclass(frozen=True)
class FoundSlices:
    """What a search for regressions found.

    Attributes:
        columns: what was searched.
        chosen: why these: they were "named", "kept among the scores" or "offered by the traces".
        left_out: columns of which nothing, or not all, was searched, and why.
        min_size: the pairs, scored in both runs, that a slice must have.
        searched: how many different slices were searched.
        folded: how many slices have the pairs of another, or all, and were not searched again.
        cut: whether there were more slices than are searched.
        tests: how many tests of a slice and a scorer there were: the family of the adjusted p.
        slices: a row a slice and scorer, the smallest p first; `find_slices` tells the columns.
    """

    columns: list[str]
    chosen: str
    left_out: dict[str, str]
    min_size: int
    searched: int
    folded: int
    cut: bool
    tests: int
    slices: pl.DataFrame = field(repr=False)


def find_slices(
    base: Source,
    candidate: Source,
    *,
    columns: str | Sequence[str] = (),
    min_size: int = MIN_SIZE,
    key: str | Sequence[str] | None = None,
    cluster: str | None = None,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    traces: Frame | None = None,
) -> FoundSlices:
    """Search the slices of one column, and of two, for the worst regressions.

    Each slice is tested for each scorer, whether its mean difference is 0: passes and fails by the
    exact McNemar test, graded scores by Student's t, clusters by the robust t. The family over
    which p values are adjusted is all of these tests, so that at a confidence of 0.95 there is a
    false alarm in at most 1 of 20 searches.

    Sources: the search of slices by tests, larger ones first, of Chung et al. 2019, "Slice Finder:
    Automated Data Slicing for Model Validation" (arXiv 1807.06068); that of all conjunctions above
    a minimum size, in one pass of array operations, of Sagadeeva and Boehm 2021, "SliceLine: Fast,
    Linear-Algebra-based Slice Finding for ML Model Debugging". Unlike there, the test is on pairs.

    Args:
        base: as for `compare`.
        candidate: as for `compare`.
        columns: what to search, named as for `by` of `compare`; of numbers with more than 20 values
            the quarters are slices. Without: the columns kept among the scores; without any,
            `model`, `tool`, `length(input)` and the keys of `metadata`, looked up in the traces.
        min_size: the pairs, scored in both runs, that a slice must have, 2 or more.
        key: as for `compare`.
        cluster: as for `compare`.
        confidence: 1 - the likelihood of any false alarm; also that of the intervals.
        resamples: as for `compare`.
        seed: as for `compare`.
        traces: as for `compare`.

    Returns:
        What was searched, and the table `slices` of at most 50 slices in which a scorer fell, by p:
        `slice` in words, its `columns` and `values`; `same_pairs`, other slices with the very same
        pairs; `scorer`, `n`, `clusters`, the means `base` and `candidate`, their `difference` with
        its interval `low` to `high`, and `rest`, the difference in all other pairs; `wins`, `ties`
        and `losses`; the `test`, its `p`, and p adjusted by Holm (`p_holm`) and by Benjamini and
        Hochberg (`p_bh`); the `verdict`, worse where `p_holm` says so, else no difference shown. A
        slice of two columns is left out where one of them alone tells as much.

    Raises:
        BadArgumentError: an argument makes no sense, or a column cannot be cut into slices.
        BatchevalError: else what `compare` raises.

    Example:
        >>> ids = [f"t{n}" for n in range(80)]
        >>> base = pl.DataFrame({"trace_id": ids, "city": ["Bern", "Lyon"] * 40, "s": [1.0] * 80})
        >>> worse = base.with_columns(s=pl.Series([0.0, 1.0] * 20 + [1.0] * 40))
        >>> found = find_slices(base, worse)
        >>> found.slices.select("slice", "n", "difference", "verdict").row(0)
        ('city = Bern', 40, -0.5, 'worse')
    """
    settings = settings_of(confidence, resamples, seed)
    if min_size < 2:
        raise BadArgumentError("min_size", "2 or more", min_size)
    runs = open_run(base, "base"), open_run(candidate, "candidate")
    scorers = shared_scorers(runs[0].scorers, runs[1].scorers)
    if not scorers:
        raise NoSharedScorersError(runs[0].scorers, runs[1].scorers)
    table = None if traces is None else canonical(traces)
    asked = [columns] if isinstance(columns, str) else list(dict.fromkeys(columns))
    names, chosen = (asked, NAMED) if asked else columns_to_search(runs[0], table)
    further = {**dict.fromkeys(names, "find_slices"), **({cluster: "cluster"} if cluster else {})}
    pairs = pair(*runs, scorers, key, further, table)
    clusters = clusters_of(pairs, cluster)
    codes = None if clusters is None else clusters.codes
    cut = [column_of(pairs.frame, name, min_size) for name in names]
    search = searched(pairs.frame, cut, scorers, codes, min_size)
    return FoundSlices(
        columns=names,
        chosen=chosen,
        left_out={column.name: why for column in cut if (why := _left_out(column, min_size))},
        min_size=min_size,
        searched=len(search.terms),
        folded=search.folded,
        cut=search.cut,
        tests=search.tests["p"].count(),
        slices=worst(search, pairs.frame, cut, codes, settings),
    )


def _left_out(column: Column, min_size: int) -> str:
    if not column.values:
        return f"no value has {min_size:,} pairs"
    return f"the {MOST_VALUES} most frequent values only" if column.left_out else ""
