"""What tokens cost, by model, from a price table of the user's."""

from collections.abc import Mapping
from math import isfinite
from typing import Final, NamedTuple

import polars as pl

from batcheval.checks.lookups import lookup
from batcheval.errors import BadArgumentError

_WANTED: Final = (
    "a table, or the path of a TOML or JSON file with one, of prices by model such as"
    " {input = 2.5, output = 10, cached = 1.25}, in USD per million tokens"
)
_KINDS: Final = ("input", "output", "cached")
_MILLION: Final = 1e6


class Price(NamedTuple):
    """USD per million tokens of one model."""

    input: float
    output: float
    cached: float


def price_table(value: object) -> dict[str, Price]:
    """The argument `prices`; cached tokens cost what others do unless there is a price for them.

    Raises:
        BadArgumentError: it is no table of prices.

    Example:
        >>> price_table({"m": {"input": 2, "output": 8}})
        {'m': Price(input=2.0, output=8.0, cached=2.0)}
    """
    if not isinstance(value, str | Mapping):
        raise BadArgumentError("prices", _WANTED, value)
    return {model: _price(model, row) for model, row in lookup("prices", value, _WANTED).items()}


def _price(model: str, row: object) -> Price:
    given = dict(row) if isinstance(row, Mapping) else {}
    numbers = all(
        isinstance(one, int | float) and not isinstance(one, bool) and isfinite(one) and one >= 0
        for one in given.values()
    )
    if not numbers or not {"input", "output"} <= given.keys() <= set(_KINDS):
        wanted = f"{_WANTED}; that of '{model}' needs input and output, and numbers of at least 0"
        raise BadArgumentError("prices", wanted, row)
    return Price(*(float(given.get(kind, given["input"])) for kind in _KINDS))


def priced(table: Mapping[str, Price]) -> pl.Expr:
    """The cost of a run in USD: null where its model has no price, or its tokens are not told.

    A name in the table that ends in `*` stands for all models that begin so; an exact name goes
    before these, and a longer one before a shorter.
    """

    def costs(rows: pl.Series) -> pl.Series:
        frame = rows.struct.unnest()
        models = frame["model"].unique().drop_nulls()
        found = [price_of(table, model) for model in models]
        prices = [
            pl.col("model")
            .replace_strict(
                models,
                pl.Series([price and price[place] for price in found], dtype=pl.Float64),
                default=None,
                return_dtype=pl.Float64,
            )
            .alias(kind)
            for place, kind in enumerate(_KINDS)
        ]
        tokens = frame.select(pl.col("^.*_tokens$").cast(pl.Float64), *prices)
        return tokens.select(_COST).to_series()

    columns = pl.struct("model", "input_tokens", "output_tokens", "cached_tokens")
    return columns.map_batches(costs, return_dtype=pl.Float64, is_elementwise=True)


_CACHED: Final = pl.col("cached_tokens").fill_null(0)
_TOKENS: Final = {
    "input": pl.col("input_tokens") - _CACHED,
    "cached": _CACHED,
    "output": pl.col("output_tokens"),
}
_SUM: Final = pl.sum_horizontal(
    *(tokens * pl.col(kind) for kind, tokens in _TOKENS.items()), ignore_nulls=False
)
_COST: Final = pl.when(pl.all_horizontal(tokens >= 0 for tokens in _TOKENS.values())).then(
    _SUM / _MILLION
)


def unpriced(table: Mapping[str, Price]) -> pl.Expr:
    """The models without a price, null where there is one or no model is told."""

    def without(models: pl.Series) -> pl.Series:
        known = [model for model in models.unique().drop_nulls() if price_of(table, model)]
        return models.set(models.is_in(known), None)

    return pl.col("model").map_batches(without, return_dtype=pl.String, is_elementwise=True)


def price_of(table: Mapping[str, Price], model: str) -> Price | None:
    """The price of a model, or None.

    Example:
        >>> table = {"m-*": Price(2.0, 8.0, 2.0), "m-1": Price(1.0, 4.0, 1.0)}
        >>> price_of(table, "m-1").input, price_of(table, "m-2").input, price_of(table, "n")
        (1.0, 2.0, None)
    """
    if model in table:
        return table[model]
    starts = [name for name in table if name.endswith("*") and model.startswith(name[:-1])]
    return table[max(starts, key=len)] if starts else None
