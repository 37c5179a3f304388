"""The rows of a batch as runs with what is expected of them, each distinct one put together once.

What a run is made of stays in columns until equal rows are found, and only those columns are
looked at that some expectation of the batch asks for.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise, repeat
from typing import NamedTuple, TypeAlias

import numpy as np
import polars as pl

from batcheval.checks.trajectories.expectations import Expectation
from batcheval.checks.trajectories.parsing import expectation_of
from batcheval.checks.trajectories.steps import (
    Run,
    Step,
    UnscoredError,
    step_of_call,
    trajectory_of,
)
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
    rows = pl.DataFrame({"calls": _counted(calls, needs), "own": trajectories, "text": texts})
    groups = rows.with_row_index("row").group_by("calls", "own", "text", maintain_order=True)
    distinct = groups.agg("row")
    called = _steps(distinct["calls"], needs)
    wanted = (expected[text] for text in distinct["text"])
    triples = zip(called, distinct["own"], wanted, strict=True)
    return Cases([_case(*triple) for triple in triples], _places(distinct["row"]))


def _said(values: pl.Series) -> pl.Series:
    """Values of any type as JSON texts, null where they say nothing."""
    texts = json_texts(values)
    return texts.set(texts.str.strip_chars().is_in(["", "null"]).fill_null(False), None)


def _expected(text: str | None, merge: Merge) -> Expectation | None:
    try:
        return merge(None if text is None else expectation_of(text))
    except UnscoredError:
        return None


def _case(called: list[Step], own: str | None, expected: Expectation | None) -> Case | None:
    try:
        run = Run(called) if own is None else trajectory_of(own, called)
        return None if expected is None else Case(run, expected)
    except UnscoredError:
        return None


def _counted(calls: pl.Series, needs: set[str]) -> pl.Series:
    """The calls that count, with what is needed of them."""
    field = pl.element().struct.field
    counts = (field("name") != "") & field("state").ne_missing("partial")
    kept = [field(name) for name in ("result", "duration_ms") if name in needs]
    kept += [field("args")] if needs & {"args", "neighbours"} else []
    call = pl.struct(field("name"), (field("state") == "ok").alias("succeeded"), *kept)
    return calls.list.eval(pl.when(counts).then(call).drop_nulls())


def _steps(calls: pl.Series, needs: set[str]) -> list[list[Step]]:
    flat = calls.explode(empty_as_null=False, keep_nulls=False).struct.unnest()
    if "args" in flat.columns and "args" not in needs:  # only those of neighbours are compared
        alike = pl.col("name") == pl.col("name").shift(1)
        kept = pl.when(alike | alike.shift(-1, fill_value=False)).then("args")
        flat = flat.with_columns(kept.alias("args"))
    order = ("name", "succeeded", "args", "result", "duration_ms")
    columns = [flat[name].to_list() if name in flat.columns else repeat(None) for name in order]
    steps = list(map(cache(step_of_call), *columns))
    ends = [0, *calls.list.len().fill_null(0).cum_sum()]
    return [steps[start:end] for start, end in pairwise(ends)]


def _places(rows: pl.Series) -> pl.Series:
    """For each row the place of the list that holds it."""
    flat = rows.explode()
    places = np.empty(len(flat), np.int64)
    places[flat.to_numpy()] = np.repeat(np.arange(len(rows)), rows.list.len().to_numpy())
    return pl.Series(places)
