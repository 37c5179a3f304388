"""Checks of JSON against expected JSON."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from batcheval.checks.operands import either, quote, sentence, share, subject
from batcheval.checks.structured.documents import Parsed, values
from batcheval.checks.structured.equality import distance, equal, similarity
from batcheval.checks.structured.expected import against
from batcheval.checks.structured.places import places_of
from batcheval.schema import OUTPUT
from batcheval.scorer import Verdict, check, passed

__all__ = ["json_equal", "json_similarity"]


@check
def json_equal(
    expected: object,
    *,
    tolerance: float = 0.0,
    ignore: Sequence[str] = (),
    fenced: bool = False,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """The output is JSON of the same value as `expected`: 1.0, else 0.0.

    The order of an object's keys does not matter, that of an array does. Numbers are equal by
    value (`1` is `1.0`), other types only to themselves: `true` is not `1`, nor is `"1"`, and null
    is not a missing key. Of a key that stands twice the last one counts. An output that is no JSON
    scores 0.0. Details: `equal`; `error`, why the output is no JSON.

    Args:
        expected: JSON text, or a value; or an expression with JSON text per row: one where it is
            null or no JSON is unscored.
        tolerance: how far apart two numbers may be.
        ignore: paths of what is not compared, such as "id" or "items[*].price".
        fenced: as in `is_json`.
        on: the text to look at instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: a literal is no JSON, or an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ['{"b": 2.0, "a": 1}', '{"a": true, "b": 2}']})
        >>> traces.select(json_equal({"a": 1, "b": 2}).score).to_series().to_list()
        [1.0, 0.0]
        >>> traces.select(json_equal('{"b": 2}', ignore=["a"]).score).to_series().to_list()
        [1.0, 1.0]
    """
    places = places_of("ignore", ignore)
    within = distance("tolerance", tolerance)

    def judge(found: Parsed, wanted: Any) -> bool:
        return found.error is None and equal(found.value, wanted, within, places)

    documents = values(on, fenced)
    same = against(documents, "expected", expected, judge, pl.Boolean())
    error = against(documents, "expected", expected, lambda found, _: found.error, pl.String())
    details = pl.when(same.is_not_null()).then(pl.struct(equal=same, error=error))
    verb = either(same, "is", "is not")
    reason = sentence(same, "{} {} the expected JSON, which it should be", subject(on), verb)
    wrong = sentence(same, "{} is no JSON, and should be: {}", subject(on), quote(error))
    return passed(same, details, pl.when(error.is_null()).then(reason).otherwise(wrong))


@check
def json_similarity(
    expected: object,
    *,
    threshold: float | None = None,
    fenced: bool = False,
    on: pl.Expr = OUTPUT,
) -> Verdict:
    """How alike the output and `expected` are as JSON: 0.0 to 1.0, which is equal.

    Of two objects the sum of the similarities of their common keys by the number of all keys; of
    two arrays that of the items at the same places by the length of the longer; 1.0 if both are
    empty. Of two texts `levenshtein`; of two numbers 1 less their difference by the sum of their
    sizes, at most; true, false and null are alike only to themselves, values of two types not at
    all. Texts beyond the limit of `levenshtein` are alike only if equal. An output that is no JSON
    scores 0.0. Details: `score`, before the threshold; `error`, why the output is no JSON.

    Args:
        expected: as in `json_equal`.
        threshold: in 0..1; turns the score into 1.0 where the similarity reaches it, else 0.0.
        fenced: as in `is_json`.
        on: the text to look at instead of the output; where it is null a row is unscored.

    Raises:
        BadArgumentError: a literal is no JSON, or an argument is of the wrong type.

    Example:
        >>> traces = pl.DataFrame({"output": ['{"a": 1, "b": "cat"}', '{"a": 1}', "{}"]})
        >>> alike = json_similarity('{"a": 1, "b": "cut"}').score
        >>> traces.select(alike.round(2)).to_series().to_list()
        [0.83, 0.5, 0.0]
    """
    least = None if threshold is None else share("threshold", threshold)

    def judge(found: Parsed, wanted: Any) -> float:
        return 0.0 if found.error is not None else similarity(found.value, wanted)

    documents = values(on, fenced)
    alike = against(documents, "expected", expected, judge, pl.Float64())
    error = against(documents, "expected", expected, lambda found, _: found.error, pl.String())
    details = pl.struct(score=alike, error=pl.when(alike.is_not_null()).then(error))
    duty = "1.0 is equal" if least is None else f"and should be at least {least}"
    told = f"{{}} has a similarity of {{}} to the expected JSON, {duty}"
    reason = sentence(alike, told, subject(on), alike.round(3).cast(pl.String))
    if least is None:
        return Verdict(alike, details, reason)
    return passed(alike >= least, details, reason)
