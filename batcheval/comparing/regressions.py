"""The pairs that got worse or better, both sides next to each other, with their texts."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from batcheval import __version__
from batcheval.comparing.joining import ROW
from batcheval.comparing.pairing import pair
from batcheval.comparing.pairs import BASE, CANDIDATE
from batcheval.comparing.runs import Source, open_run, shared_scorers
from batcheval.comparing.sides import schema_of, side_by_side
from batcheval.comparing.units import DECIMALS
from batcheval.errors import BadArgumentError, NoSharedScorersError
from batcheval.output import writer_for
from batcheval.schema import Frame, canonical

_GROUP = 8_192  # rows with two texts each


class Regressions(NamedTuple):
    """What changed between two runs.

    Attributes:
        worse: how many pairs fell in some scorer.
        better: how many rose in some, and fell in none.
        schema: the columns of every frame.
        frames: the pairs, some at a time, once; `regressions` tells the columns.
    """

    worse: int
    better: int
    schema: pl.Schema
    frames: Iterator[pl.DataFrame]


def regressions(
    base: Source,
    candidate: Source,
    *,
    key: str | Sequence[str] | None = None,
    traces: Frame | None = None,
    most: int | None = None,
) -> Regressions:
    """Every pair of which some score changed, the deepest fall first.

    The scores of all pairs are held in memory, of texts those of 50,000 pairs; the files of traces
    are read once for each 50,000.

    Args:
        base: as for `compare`.
        candidate: as for `compare`.
        key: as for `compare`.
        traces: where the texts are looked up; without, the files that the scores name are read
            again.
        most: give so many pairs at most.

    Returns:
        The frames have a row a pair: the key; `worse` and `better`, the scorers that fell and rose;
        `change`, the deepest fall, or, without one, the highest rise; `input` and `expected`, as
        the base has them; then for either run, under `base:` and `candidate:`, `trace_id`,
        `source`, `line`, `output`, and each scorer's score, with its details (as JSON text) and
        reason where the scores have them. Where trials were averaged, scores are their means and
        all else is the first trial's.

    Raises:
        LostTracesError: the traces are gone.
        UnkeptColumnError: the scores do not say where their traces are.
        BatchevalError: else what `compare` raises.

    Example:
        >>> ids = ["a", "b"]
        >>> traces = pl.DataFrame({"trace_id": ids, "output": ["Yes.", "No."]})
        >>> runs = [pl.DataFrame({"trace_id": ids, "s": s}) for s in ([1.0, 1.0], [1.0, 0.5])]
        >>> found = regressions(*runs, traces=traces)
        >>> next(found.frames).select("worse", "change", "base:output").row(0)
        (['s'], -0.5, 'No.')
    """
    if most is not None and most < 1:
        raise BadArgumentError("most", "1 or more", most)
    runs = open_run(base, "base").numbered(ROW), open_run(candidate, "candidate").numbered(ROW)
    scorers = shared_scorers(runs[0].scorers, runs[1].scorers)
    if not scorers:
        raise NoSharedScorersError(runs[0].scorers, runs[1].scorers)
    table = None if traces is None else canonical(traces)
    changed = _changed(pair(*runs, scorers, key, traces=table).frame, scorers)
    worse = int((changed["worse"].list.len() > 0).sum())
    schema = schema_of(runs, changed, scorers)
    shown = changed if most is None else changed.head(most)
    frames = side_by_side(runs, shown, schema, table)
    return Regressions(worse, changed.height - worse, schema, frames)


def write_regressions(found: Regressions, out: Path | str) -> None:
    """Write all pairs to a Parquet, JSON Lines or CSV file that is whole or not there.

    Raises:
        UnknownEndingError: `out` ends otherwise.
        UnwritablePathError: no file can stand there.
    """
    with writer_for(out, found.schema, group_rows=_GROUP) as writer:
        for frame in found.frames:
            writer.write(frame)
        writer.finish({"version": __version__, "worse": found.worse, "better": found.better})


def _changed(pairs: pl.DataFrame, scorers: Sequence[str]) -> pl.DataFrame:
    """The pairs that changed, in order; what fell and what rose of each."""
    sides = [
        pairs.select(pl.col(prefix + name) for name in scorers) for prefix in (BASE, CANDIDATE)
    ]
    less = [
        pl.Series(name, (candidate - base).round(DECIMALS))
        for name, base, candidate in zip(scorers, *sides, strict=True)
    ]
    changes = pl.DataFrame(less).with_columns(
        pl.when(pl.all().is_finite()).then(pl.all())  # null where a side is unscored
    )
    fell = [pl.when(pl.col(name) < 0).then(pl.lit(name)) for name in scorers]
    rose = [pl.when(pl.col(name) > 0).then(pl.lit(name)) for name in scorers]
    deepest, highest = pl.min_horizontal(scorers), pl.max_horizontal(scorers)
    told = changes.select(
        pl.concat_list(fell).list.drop_nulls().alias("worse"),
        pl.concat_list(rose).list.drop_nulls().alias("better"),
        pl.when(deepest < 0).then(deepest).otherwise(highest).alias("change"),
    )
    both = pl.concat([pairs, told], how="horizontal").filter(pl.col("change") != 0)
    change = pl.col("change")
    return both.sort(change > 0, pl.when(change < 0).then(change).otherwise(-change),
                     maintain_order=True)  # fmt: skip
