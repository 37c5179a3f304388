"""The cases of a batch judged, as columns: scores at once, evidence where it is asked for."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import polars as pl

from batcheval.checks.trajectories.batches import Case, Merge, cases_of
from batcheval.checks.trajectories.steps import UnscoredError
from batcheval.schema import TOOL_CALLS
from batcheval.schema.series import json_texts
from batcheval.scorer import batched

_OWN = pl.col("trajectory")


class Verdicts(NamedTuple):
    """How cases are judged.

    Attributes:
        merge: what is expected of a row.
        texts: what a row says of that itself, as JSON text.
    """

    merge: Merge
    texts: pl.Expr

    def scores(self, judge: Callable[[Case], float | None]) -> pl.Expr:
        """A score for each row: Float64."""

        def score(calls: pl.Series, own: pl.Series, texts: pl.Series) -> pl.Series:
            cases, places = cases_of(calls, own, texts, self.merge)
            scores = [_or_none(judge, case) for case in cases]
            return pl.Series(scores, dtype=pl.Float64).gather(places)

        return batched(score, TOOL_CALLS, _OWN, self.texts)

    def evidence(
        self, find: Callable[[Case], tuple[Any, ...] | None], fields: Mapping[str, Any]
    ) -> pl.Expr:
        """What was found of each row: a Struct of `fields`, all null where it is unscored."""
        nothing = (None,) * len(fields)

        def found(rows: pl.Series) -> pl.Series:
            calls, own, texts = rows.struct.unnest().get_columns()
            cases, places = cases_of(calls, own, texts, self.merge)
            columns = zip(*(_or_none(find, case) or nothing for case in cases), strict=True)
            named = dict(zip(fields, columns, strict=True)) if cases else fields
            return pl.DataFrame(named, schema=dict(fields))[places].to_struct()

        rows = pl.struct(TOOL_CALLS, _OWN, self.texts.alias("text"))
        kind = pl.Struct(dict(fields))
        return rows.map_batches(found, return_dtype=kind, is_elementwise=True)


def _or_none(judge: Callable[[Case], Any], case: Case | None) -> Any:
    try:
        return None if case is None else judge(case)
    except UnscoredError:
        return None


def row_texts(expected: pl.Expr) -> pl.Expr:
    """What rows expect, of any type, as JSON text; null where they say nothing."""
    texts = expected.map_batches(json_texts, return_dtype=pl.String, is_elementwise=True)
    return pl.when(~texts.str.strip_chars().is_in(["", "null"])).then(texts)
