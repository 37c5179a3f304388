"""What the checks of structured output say: a score, the error that was found, and a reason."""

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from batcheval.checks.operands import quote, sentence, subject
from batcheval.checks.structured.documents import Parsed, mapped, texts
from batcheval.checks.structured.grammars import TOO_LONG
from batcheval.scorer import Verdict, passed


def well_formed(
    language: str, find: Callable[[str], str | None], on: pl.Expr, fenced: bool
) -> Verdict:
    """Whether texts are of a language, by a function that gives what is wrong with one."""
    errors = mapped(texts(on, fenced), lambda text: find(text) or "", pl.String())
    return error_verdict(pl.when(errors != TOO_LONG).then(errors), language, on)


def error_verdict(errors: pl.Expr, language: str, on: pl.Expr) -> Verdict:
    """A verdict of errors: "" where there is none, null where a row is unscored."""
    valid = errors == ""
    details = pl.struct(valid=valid, error=pl.when(~valid).then(errors))
    asked = f"{{}} is {language}, as it should be"
    wrong = f"{{}} is not {language}, and should be: {{}}"
    reason = (
        pl.when(valid)
        .then(sentence(errors, asked, subject(on)))
        .otherwise(sentence(errors, wrong, subject(on), quote(errors)))
    )
    return passed(valid, details, reason)


def judged(values: pl.Expr, judge: Callable[[Parsed], object], dtype: Any) -> pl.Expr:
    """What a function says of each document, asked once for equal ones; null for null."""

    def run(batch: pl.Series) -> pl.Series:
        said: dict[int, object] = {}  # equal texts of a batch are one object
        found = batch.to_list()
        for one in found:
            if one is not None and id(one) not in said:
                said[id(one)] = judge(one)
        return pl.Series(batch.name, [said.get(id(one)) for one in found], dtype=dtype)

    return values.map_batches(run, return_dtype=dtype, is_elementwise=True)


def compared(
    values: pl.Expr, others: pl.Expr, judge: Callable[[Parsed, Parsed], object], dtype: Any
) -> pl.Expr:
    """What a function says of each document and another; null where one of them is null."""

    def run(columns: Sequence[pl.Series]) -> pl.Series:
        said: dict[tuple[int, int], object] = {}
        pairs = list(zip(*(column.to_list() for column in columns), strict=True))
        keys = [(id(one), id(other)) for one, other in pairs]
        for (one, other), key in zip(pairs, keys, strict=True):
            if one is not None and other is not None and key not in said:
                said[key] = judge(one, other)
        return pl.Series(columns[0].name, [said.get(key) for key in keys], dtype=dtype)

    return pl.map_batches([values, others], run, return_dtype=dtype, is_elementwise=True)
