"""Checks of what a run used up: tokens and money."""

from collections.abc import Mapping
from typing import Final, Literal

import polars as pl

from batcheval.checks.budgets.grading import amount, budget, held
from batcheval.checks.budgets.prices import price_table, priced, unpriced
from batcheval.errors import BadArgumentError
from batcheval.scorer import Verdict, check

__all__ = ["run_cost", "tokens_used"]

_INPUT: Final = amount(pl.col("input_tokens"))
_OUTPUT: Final = amount(pl.col("output_tokens"))
_TOKENS: Final = {
    "input": _INPUT,
    "output": _OUTPUT,
    "total": amount(pl.coalesce("total_tokens", _INPUT + _OUTPUT)),
}


@check
def tokens_used(
    max: float | pl.Expr,
    *,
    zero_at: float | None = None,
    of: Literal["total", "input", "output"] = "total",
) -> Verdict:
    """The run used at most `max` tokens: 1.0; more: 0.0, or less the nearer it is to `zero_at`.

    Details: `tokens`. A row without that number is unscored.

    Args:
        max: 0 or more; or an expression with one per row, where null leaves a row unscored.
        zero_at: more than `max`; from `max` on the score falls in a straight line, to 0.0 here.
        of: `input` tokens, cached ones among them; `output` tokens; or the `total`, from the column
            `total_tokens` or, where it is null, both together.

    Raises:
        BadArgumentError: an argument is of another kind, or `zero_at` is not above `max`.

    Example:
        >>> from batcheval.schema import canonical
        >>> traces = canonical(pl.DataFrame({"total_tokens": [900, 1500, None]}))
        >>> graded = tokens_used(1000, zero_at=2000)
        >>> traces.select(graded.score).collect().to_series().to_list()
        [1.0, 0.5, None]
    """
    if of not in _TOKENS:
        raise BadArgumentError("of", "'total', 'input' or 'output'", of)
    allowed = budget("max", max, "zero_at", zero_at)
    kind = "" if of == "total" else f"{of} "
    found = f"the run used {{}} {kind}tokens, and should use at most {{}}"
    used = _TOKENS[of]
    return held(used, allowed, found, pl.struct(tokens=used.cast(pl.Int64)))


@check
def run_cost(
    max: float | pl.Expr,
    *,
    zero_at: float | None = None,
    prices: str | Mapping[str, Mapping[str, float]] | None = None,
) -> Verdict:
    """The run cost at most `max` USD: 1.0; more: 0.0, or less the nearer it is to `zero_at`.

    The cost is that in the column `cost`; with `prices` it is made of `input_tokens`,
    `output_tokens` and `cached_tokens`, which are part of the input, by the price of the `model`,
    whatever the column says. A row without a cost, without a model that has a price, or with more
    cached tokens than input is unscored.

    Details: `cost`; `unpriced_model`, the model for which `prices` has none.

    Args:
        max: USD, 0 or more; or an expression with one per row, where null leaves a row unscored.
        zero_at: more than `max`; from `max` on the score falls in a straight line, to 0.0 here.
        prices: by model a table with `input`, `output` and, if cached tokens cost less, `cached`,
            in USD per million tokens; or the path of a TOML or JSON file with such tables. A model
            whose name ends in `*` stands for all that begin so.

    Raises:
        BadArgumentError: an argument is of another kind, or `zero_at` is not above `max`.

    Example:
        >>> from batcheval.schema import canonical
        >>> used = {"model": ["small", "other"], "input_tokens": 1000, "output_tokens": 500}
        >>> traces = canonical(pl.DataFrame(used))
        >>> cheap = run_cost(0.002, prices={"small": {"input": 1.0, "output": 4.0}})
        >>> traces.select(cheap.score).collect().to_series().to_list()
        [0.0, None]
    """
    allowed = budget("max", max, "zero_at", zero_at)
    if prices is None:
        used, without = amount(pl.col("cost")), pl.lit(None, pl.String)
    else:
        table = price_table(prices)
        used, without = priced(table), unpriced(table)
    found = "the run cost {} USD, and should cost at most {}"
    return held(used, allowed, found, pl.struct(cost=used, unpriced_model=without))
