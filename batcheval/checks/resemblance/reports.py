"""A measure of resemblance as a check: the score, its parts, and the nearest reference."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import polars as pl

from batcheval.checks.operands import column, flag, quote, sentence, share, subject
from batcheval.checks.resemblance.batches import Measure, judged
from batcheval.checks.resemblance.references import Prepare, listed, prepared, wanted
from batcheval.scorer import Verdict, passed

Expected: TypeAlias = str | Sequence[str] | pl.Expr
Form: TypeAlias = Literal["NFC", "NFD", "NFKC", "NFKD"]


class Asked(NamedTuple):
    """What a check of resemblance is asked besides the references."""

    threshold: float | None
    several: bool
    on: pl.Expr
    normalize: str | None = None
    ignore_case: bool = False


def resemblance(measure: Measure, expected: Expected, asked: Asked) -> Verdict:
    """The verdict of a check that measures how alike a text and its references are.

    Details: `score`, the parts of the measure, and `reference`, the place of the nearest one.

    Raises:
        BadArgumentError: an argument is of the wrong type or out of range.
    """
    least = None if asked.threshold is None else share("threshold", asked.threshold)
    several, on = flag("several", asked.several), asked.on
    prepare = prepared(asked.ignore_case, asked.normalize)
    given, text = wanted("expected", expected), prepare(column("on", on))
    numbers = _numbers(measure, several, prepare, text, given)
    names = ["score", *measure.parts]
    parts = {name: numbers.arr.get(place) for place, name in enumerate(names)}
    place = numbers.arr.get(len(names)).cast(pl.Int64)
    named = {**parts, "reference": place}
    score, details = parts["score"], pl.struct(part.alias(name) for name, part in named.items())
    duty = "1.0 is the most" if least is None else f"and should be at least {least}"
    found = f"{{}} has {measure.words} of {{}} to {{}}, {duty}"
    nearest = _nearest(several, given, place)
    reason = sentence(score, found, subject(on), score.round(3).cast(pl.String), nearest)
    if least is None:
        return Verdict(score, details, reason)
    return passed(score >= least, details, reason)


def _numbers(
    measure: Measure, several: bool, prepare: Prepare, text: pl.Expr, given: pl.Expr
) -> pl.Expr:
    """All numbers of a row in one Array, since polars would judge anew for each of several."""
    kind = pl.Array(pl.Float64, measure.width)

    def run(rows: pl.Series) -> pl.Series:
        texts, references = rows.struct.unnest().get_columns()
        found = judged(texts, references, measure, several, prepare)
        return pl.Series(found.ravel()).fill_nan(None).reshape((len(rows), measure.width))

    rows = pl.struct(text.alias("text"), given.alias("wanted"))
    return rows.map_batches(run, return_dtype=kind, is_elementwise=True)


def _nearest(several: bool, given: pl.Expr, place: pl.Expr) -> pl.Expr:
    """The reference that a reason quotes."""

    def run(rows: pl.Series) -> pl.Series:
        references, places = rows.struct.unnest().get_columns()
        if not several and not isinstance(references.dtype, pl.List):
            return references.cast(pl.String)
        chosen = pl.DataFrame({"list": listed(references, several), "place": places})
        return chosen.select(pl.col("list").list.get(pl.col("place"))).to_series()

    rows = pl.struct(given.alias("wanted"), place.alias("place"))
    return quote(rows.map_batches(run, return_dtype=pl.String, is_elementwise=True))
