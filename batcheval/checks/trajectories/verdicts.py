"""The cases of a batch judged, as columns: scores at once, evidence where it is asked for."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import polars as pl

from batcheval.checks.trajectories.batches import Case, Merge, cases_of
from batcheval.checks.trajectories.expectations import Expectation
from batcheval.checks.trajectories.steps import UnscoredError
from batcheval.schema import TOOL_CALLS
from batcheval.scorer import batched

ASKED: Final = "asked"

_OWN: Final = pl.col("trajectory")


class Verdicts(NamedTuple):
    """How cases are judged.

    Attributes:
        merge: what is expected of a row.
        texts: what a row says of that itself: JSON text, or values of other types.
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
        self,
        find: Callable[[Case], tuple[Any, ...] | None],
        fields: Mapping[str, Any],
        in_words: Callable[[Expectation], str],
    ) -> pl.Expr:
        """What was found of each row: a Struct of `fields`, all null where it is unscored.

        A last field, `ASKED`, says what was expected. Polars computes this once for several
        readers of the whole, as `fields_of` and `text_of` are, but anew for each reader of a field.
        """
        kinds = {**fields, ASKED: pl.String()}

        def found(rows: pl.Series) -> pl.Series:
            calls, own, texts = rows.struct.unnest().get_columns()
            cases, places = cases_of(calls, own, texts, self.merge)
            said = cache(in_words)
            judged = [_or_none(find, case) for case in cases]
            pairs = zip(judged, cases, strict=True)
            asked = [said(case.expected) if row and case else None for row, case in pairs]
            values = [[row and row[n] for row in judged] for n in range(len(fields))]
            named = zip(kinds.items(), [*values, asked], strict=True)
            series = {name: _series(found, kind) for (name, kind), found in named}
            return pl.DataFrame(series)[places].to_struct()

        rows = pl.struct(TOOL_CALLS, _OWN, self.texts.alias("text"))
        return rows.map_batches(found, return_dtype=pl.Struct(kinds), is_elementwise=True)


def fields_of(found: pl.Expr, fields: Mapping[str, Any]) -> pl.Expr:
    """Some fields of evidence."""

    def kept(rows: pl.Series) -> pl.Series:
        return rows.struct.unnest().select(*fields).to_struct()

    return found.map_batches(kept, return_dtype=pl.Struct(dict(fields)), is_elementwise=True)


def text_of(found: pl.Expr, text: pl.Expr) -> pl.Expr:
    """A text made of the fields of evidence."""

    def told(rows: pl.Series) -> pl.Series:
        return rows.struct.unnest().select(text).to_series()

    return found.map_batches(told, return_dtype=pl.String, is_elementwise=True)


def _series(values: Sequence[Any], kind: Any) -> pl.Series:
    if kind != pl.List(pl.String):
        return pl.Series(values, dtype=kind)
    import pyarrow as pa  # builds lists in a twentieth of the time of polars

    return pl.Series(pl.from_arrow(pa.array(values, pa.large_list(pa.string_view()))))


def _or_none(judge: Callable[[Case], Any], case: Case | None) -> Any:
    try:
        return None if case is None else judge(case)
    except UnscoredError:
        return None
