"""compare_many(): several candidates against one base, and the false alarms of all bounded."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from batcheval.comparing.clusters import Clusters, clusters_of
from batcheval.comparing.pairing import pair
from batcheval.comparing.pairs import Pairs
from batcheval.comparing.result import Comparison
from batcheval.comparing.rows import Settings, rows_of, settings_of
from batcheval.comparing.runs import Run, Source, open_run, shared_scorers
from batcheval.comparing.slices import slice_rows
from batcheval.comparing.tables import SLICES, TABLE, tables
from batcheval.errors import BadArgumentError, NoSharedScorersError
from batcheval.schema import Frame, canonical


class _Compared(NamedTuple):
    candidate: Run
    pairs: Pairs
    clusters: Clusters | None
    rows: list[dict[str, Any]]
    slices: list[dict[str, Any]]


def compare_many(
    base: Source,
    candidates: Sequence[Source],
    *,
    key: str | Sequence[str] | None = None,
    by: str | Sequence[str] = (),
    cluster: str | None = None,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    traces: Frame | None = None,
) -> list[Comparison]:
    """Each candidate against the base; p values are adjusted over all of them together.

    Arguments, results and errors are those of `compare`. Each candidate is paired with the base on
    its own, so the numbers of pairs may differ.

    Example:
        >>> import polars as pl
        >>> runs = [pl.DataFrame({"trace_id": ["a"], "right": [score]}) for score in (0.0, 1.0)]
        >>> [found.scorers["difference"].item() for found in compare_many(runs[0], runs)]
        [0.0, 1.0]
    """
    if not isinstance(candidates, list | tuple):
        raise BadArgumentError("candidates", "a list of runs", candidates)
    columns = (by,) if isinstance(by, str) else tuple(dict.fromkeys(by))
    settings = settings_of(confidence, resamples, seed)
    table = None if traces is None else canonical(traces)
    against = open_run(base, "base")
    names = ["candidate", *(f"candidate {number}" for number in range(2, len(candidates) + 1))]
    found = [
        _compared(against, open_run(source, name), key, columns, cluster, settings, table)
        for source, name in zip(candidates, names, strict=False)
    ]
    scorers = tables([one.rows for one in found], TABLE, confidence)
    slices = tables([one.slices for one in found], SLICES, confidence)
    return [
        _comparison(against, one, settings, tables_of_one)
        for one, tables_of_one in zip(found, zip(scorers, slices, strict=True), strict=True)
    ]


def _compared(
    base: Run,
    candidate: Run,
    key: str | Sequence[str] | None,
    by: Sequence[str],
    cluster: str | None,
    settings: Settings,
    traces: pl.LazyFrame | None,
) -> _Compared:
    scorers = shared_scorers(base.scorers, candidate.scorers)
    if not scorers:
        raise NoSharedScorersError(base.scorers, candidate.scorers)
    extra = {**dict.fromkeys(by, "by"), **({} if cluster is None else {cluster: "cluster"})}
    pairs = pair(base, candidate, scorers, key, extra, traces)
    clusters = clusters_of(pairs, cluster)
    codes = None if clusters is None else clusters.codes
    rows = rows_of(pairs.frame, scorers, codes, settings)
    slices = [row for name in by for row in slice_rows(pairs.frame, name, scorers, codes, settings)]
    return _Compared(candidate, pairs, clusters, rows, slices)


def _comparison(
    base: Run, found: _Compared, settings: Settings, both: tuple[Any, Any]
) -> Comparison:
    own, others = base.scorers, found.candidate.scorers
    return Comparison(
        base=base.name,
        candidate=found.candidate.name,
        key=found.pairs.key,
        made_by=found.pairs.made_by,
        pairs=found.pairs.frame.height,
        cluster=None if found.clusters is None else found.clusters.by,
        clusters=None if found.clusters is None else found.clusters.number,
        base_rows=found.pairs.base,
        candidate_rows=found.pairs.candidate,
        only_base=[scorer for scorer in own if scorer not in others],
        only_candidate=[scorer for scorer in others if scorer not in own],
        scorers=both[0],
        slices=both[1],
        settings=settings,
    )
