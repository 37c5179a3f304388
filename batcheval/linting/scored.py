"""What the scores of a sample show: nothing scored, all alike, two scorers alike."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import polars as pl

from batcheval.engine import score
from batcheval.errors import BatchevalError
from batcheval.linting.finding import Finding, Severity, scorer
from batcheval.scorer import Scorer


def scored(
    scorers: Sequence[Scorer], traces: pl.DataFrame
) -> tuple[pl.DataFrame, dict[str, Finding]]:
    """The scores of those scorers that can be applied, and by id what is wrong with the others."""
    columns, failed = [], {}
    for one in scorers:
        try:
            found = score(traces, [one]).collect()[one.id]
        except BatchevalError as error:
            told = str(error).removeprefix(f"{scorer(one.id)} ")
            failed[one.id] = Finding("error", scorer(one.id), told)
            continue
        outside = found.filter((found < 0) | (found > 1))
        if len(outside):
            told = f"gave {outside[0]!r}, but scores lie in 0..1"
            failed[one.id] = Finding("error", scorer(one.id), told)
        columns.append(found)
    return pl.DataFrame(columns), failed


def shown(scores: pl.DataFrame) -> Iterator[Finding]:
    """Scorers that tell no trace of the sample from another.

    Args:
        scores: of the scorers that could have found something to score.
    """
    for column in scores:
        told, count = column.drop_nulls(), len(column)
        of = f"all {count:,} traces"
        if len(told) < count:
            of = f"all {len(told):,} traces that it scores, of {count:,}"
        if not len(told):
            yield Finding("warning", scorer(column.name), f"scores none of {count:,} traces")
        elif told.n_unique() == 1:
            severity: Severity = "warning" if told[0] == 0 else "note"
            yield Finding(severity, scorer(column.name), f"scores {told[0]:.4g} on {of}")
        elif len(told) * 2 < count:
            few = f"scores {len(told):,} of {count:,} traces only"
            yield Finding("note", scorer(column.name), few)


def alike(scores: pl.DataFrame) -> Iterator[Finding]:
    """Scorers that gave the same on every trace, though not one score on all."""
    varied = [name for name in scores.columns if scores[name].drop_nulls().n_unique() > 1]
    for first, second in combinations(varied, 2):
        if scores[first].equals(scores[second], null_equal=True, check_names=False):
            told = f"gave the same as '{first}' on all {scores.height:,} traces"
            yield Finding("note", scorer(second), told)
