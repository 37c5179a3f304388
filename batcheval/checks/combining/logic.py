"""Checks made of several others: all, any, none of them, or their weighted mean."""

from collections.abc import Callable, Sequence
from functools import partial
from math import isfinite

import polars as pl

from batcheval.checks.combining.evidence import combined, told
from batcheval.checks.combining.parts import in_words, parts
from batcheval.errors import BadArgumentError
from batcheval.scorer import Scorer, Verdict, batched, check

__all__ = ["all_of", "any_of", "none_of", "weighted"]


@check
def all_of(checks: Sequence[Scorer]) -> Verdict:
    """The least score of `checks`: 1.0 if all of them hold.

    As in every combination, a part that is unscored on a row is left out there, and a row on which
    no part is scored is unscored. Details: `scored`, how many parts were; and in `parts`, by id,
    the `score` and the `details` of each.

    Args:
        checks: the parts, at least one; combinations too.

    Raises:
        BadArgumentError: `checks` is no list of checks.

    Example:
        >>> from batcheval.checks import excludes, includes
        >>> traces = pl.DataFrame({"output": ["Sunny in Oslo.", "Sunny in Rome."]})
        >>> both = all_of([includes("sunny"), excludes("Rome")])
        >>> traces.select(both.score).to_series().to_list()
        [1.0, 0.0]
    """
    named = parts("checks", checks)
    return _joined(pl.min_horizontal, named, "all should hold")


@check
def any_of(checks: Sequence[Scorer]) -> Verdict:
    """The largest score of `checks`: 1.0 if one of them holds.

    Unscored parts are left out, as in `all_of`. Details: `scored`, `parts`.

    Args:
        checks: as in `all_of`.

    Raises:
        BadArgumentError: `checks` is no list of checks.

    Example:
        >>> from batcheval.checks import includes
        >>> traces = pl.DataFrame({"output": ["Sunny in Oslo.", "Rain in Rome."]})
        >>> fine = any_of([includes("sunny"), includes("fair")])
        >>> traces.select(fine.score).to_series().to_list()
        [1.0, 0.0]
    """
    named = parts("checks", checks)
    return _joined(pl.max_horizontal, named, "one at least should hold")


@check
def none_of(checks: Sequence[Scorer]) -> Verdict:
    """1 less the largest score of `checks`: 1.0 if none of them holds.

    Unscored parts are left out, as in `all_of`. Details: `scored`, `parts`.

    Args:
        checks: as in `all_of`.

    Raises:
        BadArgumentError: `checks` is no list of checks.

    Example:
        >>> from batcheval.checks import includes
        >>> traces = pl.DataFrame({"output": ["Sunny in Oslo.", "Rain in Rome."]})
        >>> dull = none_of([includes("sunny"), includes("fair")])
        >>> traces.select(dull.score).to_series().to_list()
        [0.0, 1.0]
    """
    named = parts("checks", checks)
    return _joined(lambda *scores: 1 - pl.max_horizontal(scores), named, "none should hold")


@check
def weighted(checks: Sequence[Scorer], weights: Sequence[float] | None = None) -> Verdict:
    """The mean score of `checks` by `weights`: 0.0 to 1.0.

    Unscored parts are left out, as in `all_of`, with their weights. Details: `scored`, `parts`.

    Args:
        checks: as in `all_of`.
        weights: as many numbers of at least 0, not all 0; None for equal ones.

    Raises:
        BadArgumentError: `checks` is no list of checks, or `weights` are no such numbers.

    Example:
        >>> from batcheval.checks import includes
        >>> traces = pl.DataFrame({"output": ["Sunny in Oslo.", "Rain in Rome."]})
        >>> both = weighted([includes("sunny"), includes("Rome")], [3, 1])
        >>> traces.select(both.score).to_series().to_list()
        [0.75, 0.25]
    """
    named = parts("checks", checks)
    shares = _weights(weights, len(named))
    mean = partial(batched, partial(_mean, shares))
    return _joined(mean, named, "the mean should be 1.0")


def _joined(score: Callable[..., pl.Expr], named: dict[str, Scorer], asked: str) -> Verdict:
    """What the parts should be, such as "all should hold", and their reasons one by one."""

    def reason(found: pl.Expr, *of: pl.Expr) -> pl.Expr:
        reasons = pl.concat_str(map(told, of), separator="; ", ignore_nulls=True)
        # Null, of an unscored row, makes the whole sentence null.
        return pl.format(f"{{}}, and {asked}: {{}}", in_words(found), reasons)

    return combined(score, reason, named, listed=True)


def _mean(shares: list[float], *scores: pl.Series) -> pl.Series:
    """As a function, so that each part is in the expression once, however deep the nest."""
    table = pl.DataFrame([score.alias(str(place)) for place, score in enumerate(scores)])
    parts = [(pl.col(str(place)), share) for place, share in enumerate(shares)]
    total = pl.sum_horizontal(score * share for score, share in parts)
    weight = pl.sum_horizontal(pl.when(score.is_not_null()).then(share) for score, share in parts)
    mean = pl.when(weight > 0).then((total / weight).clip(0, 1))
    return table.select(mean.alias("mean")).to_series()


def _weights(weights: object, count: int) -> list[float]:
    if weights is None:
        return [1.0 / count] * count
    numbers = list(weights) if isinstance(weights, list | tuple) else []
    valid = [
        isinstance(one, int | float) and not isinstance(one, bool) and isfinite(one) and one >= 0
        for one in numbers
    ]
    if len(numbers) != count or not all(valid) or not any(numbers):
        wanted = f"as many numbers as checks, {count}, of at least 0 and not all 0"
        raise BadArgumentError("weights", wanted, weights)
    parts = [one / max(numbers) for one in numbers]  # so that no sum is beyond all numbers
    return [one / sum(parts) for one in parts]
