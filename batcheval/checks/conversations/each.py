"""A check applied to each turn or message of a batch at once: exploded, scored, put together."""

from collections.abc import Callable
from typing import Final, NamedTuple

import polars as pl

from batcheval.checks.combining.parts import said, score_of
from batcheval.checks.conversations.folding import EACH, Folding, listed
from batcheval.checks.conversations.units import Units
from batcheval.checks.trajectories.verdicts import fields_of, text_of
from batcheval.schema import with_paths
from batcheval.scorer import Scorer, Verdict, batched

_TOLD: Final = "told"


class Each(NamedTuple):
    """How a check is applied.

    Attributes:
        check: what is applied.
        columns: of the row, that it takes.
        units: what it is applied to, from these columns.
        folding: what becomes of the scores.
        name: of the units, such as "turns".
    """

    check: Scorer
    columns: tuple[str, ...]
    units: Callable[[pl.DataFrame], Units]
    folding: Folding
    name: str

    def verdict(self) -> Verdict:
        """The score; as details the scores and reasons of each; the worst as the reason."""
        score = batched(self._scores, *map(pl.col, self.columns))
        fields = {"scored": pl.Int64(), self.name: EACH}
        kinds = pl.Struct({**fields, _TOLD: pl.String()})
        rows = pl.struct(*map(pl.col, self.columns))
        found = rows.map_batches(self._found, return_dtype=kinds, is_elementwise=True)
        return Verdict(score, fields_of(found, fields), text_of(found, pl.col(_TOLD)))

    def _scores(self, *columns: pl.Series) -> pl.Series:
        units, scored = self._scored(pl.DataFrame(self._named(columns)), reasons=False)
        return self.folding.folded(units, scored["score"], len(columns[0]))

    def _named(self, columns: tuple[pl.Series, ...]) -> dict[str, pl.Series]:
        return dict(zip(self.columns, columns, strict=True))

    def _scored(self, rows: pl.DataFrame, reasons: bool) -> tuple[Units, pl.DataFrame]:
        units = self.folding.chosen(self.units(rows), rows.height)
        of_row = [name for name in self.columns if name not in units.columns]
        own = {name: rows[name].gather(units.rows) for name in of_row}
        taken = pl.DataFrame({**own, **units.columns})
        parts = [score_of(self.check).alias("score")]
        if reasons:
            parts.append(said(self.check).alias("reason"))
        reader = f"scorer '{self.check.id}'"
        table = with_paths(taken.lazy(), dict.fromkeys(self.check.columns, reader))
        scored = table.select(parts).collect()
        if scored.height != len(units.rows):  # of constants
            scored = pl.concat([scored] * len(units.rows)) if len(units.rows) else scored.clear()
        return units, scored.with_columns(self.folding.judged(scored["score"]).alias("score"))

    def _found(self, batch: pl.Series) -> pl.Series:
        rows = batch.struct.unnest()
        units, scored = self._scored(rows, reasons=True)
        score = self.folding.folded(units, scored["score"], rows.height)
        each = listed(units, scored["score"], scored["reason"], rows.height)
        table = pl.DataFrame({"all": score, self.name: each})
        count = pl.col(self.name).list.eval(pl.element().struct.field("score").is_not_null())
        table = table.with_columns(count.list.sum().cast(pl.Int64).alias("scored"))
        return table.select("scored", self.name, self._told()).to_struct()

    def _told(self) -> pl.Expr:
        """The score in words, and the first of the units that score least."""
        one = self.name.removesuffix("s")
        least = pl.element().sort_by(pl.element().struct.field("score"), nulls_last=True)
        worst = pl.col(self.name).list.eval(least.head(1)).list.first()
        words = {
            "mean": "the mean of {} {} is {}, and should be 1.0; the least is that of {} {}: {}",
            "min": "the least of {} {} is {}, and should be 1.0: that of {} {}: {}",
            "all": "of {} {} all should hold, which is {}; the least is {} {}: {}",
        }[self.folding.way]
        told = pl.format(
            words,
            "scored",
            pl.lit(self.name if self.folding.at is None else f"chosen {self.name}"),
            pl.col("all").round(3).cast(pl.String),
            pl.lit(one),
            worst.struct.field("index"),
            worst.struct.field("reason"),
        )
        return pl.when(pl.col("all").is_not_null()).then(told).alias(_TOLD)
