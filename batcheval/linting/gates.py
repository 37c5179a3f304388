"""Gates that ask for nothing, or for more than a score of degree can give."""

from collections.abc import Iterator, Mapping
from typing import Final

import polars as pl

from batcheval.linting.finding import Finding, gate
from batcheval.suite import Gate

_IDLE: Final = {
    "min": (0, "every mean is at least 0"),
    "max": (1, "every mean is at most 1"),
    "max_regression": (1, "no mean falls by more than 1"),
}


def gates(asked: Mapping[str, Gate], scores: pl.DataFrame) -> Iterator[Finding]:
    """Limits that no run can miss, and every trace asked to have the best of many scores.

    Args:
        asked: the gates by the ids of their scorers.
        scores: of the sample, as far as there are any.
    """
    for scorer_id, one in asked.items():
        for key, (limit, why) in _IDLE.items():
            if getattr(one, key) == limit:
                told = f"'{key} = {limit}' asks for nothing: {why}"
                yield Finding("warning", gate(scorer_id), told)
        if one.min_scored == 0:
            told = "'min_scored = 0.0' asks for nothing: a share is never less"
            yield Finding("warning", gate(scorer_id), told)
        if one.every and one.min is not None:
            told = "'min' adds nothing to 'every'"
            yield Finding("note", gate(scorer_id), told)
        if one.every and scorer_id in scores:
            yield from _between(scorer_id, scores[scorer_id])


def _between(scorer_id: str, scores: pl.Series) -> Iterator[Finding]:
    between = ((scores > 0) & (scores < 1)).sum()
    if between:
        told = f"'every' asks for 1.0 of a score of degree: {between:,} of {len(scores):,} traces"
        told += " lie between 0 and 1; a threshold, or 'min', asks for less"
        yield Finding("warning", gate(scorer_id), told)
