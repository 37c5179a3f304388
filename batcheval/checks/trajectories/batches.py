"""The rows of a batch as runs with what is expected of them, each distinct one made once."""

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import polars as pl

from batcheval.checks.trajectories.called import call_columns, steps_of_calls
from batcheval.checks.trajectories.expectations import Expectation
from batcheval.checks.trajectories.parsing import expectation_of
from batcheval.checks.trajectories.steps import Run, UnscoredError, trajectory_of
from batcheval.schema.series import json_texts

# What is expected of a row, from what it brings itself, if anything; None leaves it unscored.
Merge: TypeAlias = Callable[[Expectation | None], Expectation | None]


class Case(NamedTuple):
    """A run, and what is expected of it."""

    run: Run
    expected: Expectation


class Cases(NamedTuple):
    """The distinct cases of a batch, None where unscored, and which of them each row is."""

    cases: Sequence[Case | None]
    places: pl.Series


def cases_of(calls: pl.Series, trajectories: pl.Series, texts: pl.Series, merge: Merge) -> Cases:
    """Put together the runs of a batch.

    Args:
        calls: tool calls.
        trajectories: JSON text, null where the calls are the steps.
        texts: what each row expects, as JSON text or values of other types.
        merge: gives what is expected of a row; it is asked once for each distinct text.
    """
    texts = _said(texts)
    expected = {text: _expected(text, merge) for text in texts.unique()}
    needs = set().union(*(found.needs for found in expected.values() if found))
    rows = pl.DataFrame({**call_columns(calls, needs), "own": trajectories, "text": texts})
    groups = rows.with_row_index("row").group_by(rows.columns, maintain_order=True).agg("row")
    sums = (_each(groups, name) for name in ("duration", "redundant"))
    runs = map(Run, steps_of_calls(groups["calls"]), *sums)
    wanted = (expected[text] for text in groups["text"].to_list())
    triples = zip(runs, groups["own"].to_list(), wanted, strict=True)
    return Cases([_case(*triple) for triple in triples], _places(groups["row"]))


def _each(groups: pl.DataFrame, name: str) -> Iterable[Any]:
    return groups[name].to_list() if name in groups.columns else repeat(None)


def _said(values: pl.Series) -> pl.Series:
    """Values of any type as JSON texts, null where they say nothing."""
    if values.null_count() == len(values):
        return pl.Series([None] * len(values), dtype=pl.String)
    texts = json_texts(values)
    return texts.set(texts.str.strip_chars().is_in(["", "null"]).fill_null(False), None)


def _expected(text: str | None, merge: Merge) -> Expectation | None:
    try:
        return merge(None if text is None else expectation_of(text))
    except UnscoredError:
        return None


def _case(called: Run, own: str | None, expected: Expectation | None) -> Case | None:
    if expected is None:
        return None
    try:
        return Case(called if own is None else trajectory_of(own, called), expected)
    except UnscoredError:
        return None


def _places(rows: pl.Series) -> pl.Series:
    """For each row the place of the list that holds it."""
    flat = rows.explode()
    places = np.empty(len(flat), np.int64)
    places[flat.to_numpy()] = np.repeat(np.arange(len(rows)), rows.list.len().to_numpy())
    return pl.Series(places)
