"""The counts of a run, with the places of the ids that stand more than once."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from batcheval.repeats import Repeats
from batcheval.summary import ScoresFile, open_scores


def counts_of(scores: str | Path | ScoresFile) -> dict[str, Any] | None:
    """The counts in a Parquet file of scores, as `Written` has them; None in other files.

    Args:
        scores: the file, or it opened.

    Raises:
        UnreadableFileError: there is no such file, or it is damaged.
        NotScoresError: there are no scores in it.
    """
    file = scores if isinstance(scores, ScoresFile) else open_scores(scores)
    if file.counts is None:
        return None
    return with_examples(file.counts, lambda: file.scores, len(file.scorers) if file.long else 1)


def with_examples(
    counts: Mapping[str, Any], scores: Callable[[], pl.LazyFrame], rows_a_trace: int
) -> dict[str, Any]:
    """The counts with the places of a few repeated ids, looked up by their rows in the scores."""
    return looked_up(counts, lambda: scores().gather_every(rows_a_trace))


def looked_up(counts: Mapping[str, Any], rows: Callable[[], pl.LazyFrame]) -> dict[str, Any]:
    """The counts with the places of a few repeated ids, looked up in the rows that were counted.

    These are opened only if an id is repeated.
    """
    repeated = counts["repeated_ids"]
    repeats = Repeats(**{name: repeated[name] for name in ("ids", "rows", "groups", "counts")})
    examples = repeats.examples(rows()) if repeats.groups else []
    shown = {"ids": repeats.ids, "rows": repeats.rows, "examples": examples}
    return {**counts, "repeated_ids": shown}
