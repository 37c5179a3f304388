"""How a tool call ended: ok, error, pending, denied or partial."""

import msgspec
import polars as pl

from batcheval.schema.columns import CALL, STATE_WORDS

_FALSE = ("null", "false", '""', "0", "0.0", "-0", "-0.0", "")
_result = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def truthy(raws: pl.Series) -> pl.Series:
    """Which JSON texts are neither null, false, zero nor an empty string."""
    return (~raws.is_in(_FALSE)).fill_null(False)


def has_error(raws: pl.Series) -> pl.Series:
    """Which results, as JSON texts, are objects with a truthy `error`."""
    places = (raws.str.starts_with("{") & raws.str.contains('"error"', literal=True)).fill_null(
        False
    )
    if not places.any():
        return places
    errors = [_error_in(text) for text in raws.filter(places)]
    return places.scatter(places.arg_true(), truthy(pl.Series(errors, dtype=pl.String)))


def _error_in(text: str) -> str | None:
    try:
        raw = _result(text).get("error")
    except (msgspec.DecodeError, RecursionError):
        return None
    return None if raw is None else bytes(raw).decode()


def settle(calls: pl.DataFrame) -> pl.DataFrame:
    """Calls with their state settled, as the canonical fields.

    Args:
        calls: a row a call: the canonical fields (`state` as the dump's word), and the signs of
            an error `is_error` and `result_error`, Boolean.

    Returns:
        The fields of `CALL`. A known word gives the state, save that an error was signalled for a
        call said to be ok; without a known word the signs decide. `state_raw` keeps the word.
    """
    known = pl.col("state").str.to_lowercase().replace_strict(STATE_WORDS, default=None)
    failed = pl.col("is_error") | pl.col("result_error") | pl.col("error").is_not_null()
    inferred = pl.when(failed).then(pl.lit("error")).otherwise(pl.lit("ok"))
    state = pl.when(known == "ok").then(inferred).otherwise(known.fill_null(inferred))
    settled = calls.with_columns(
        state=state, state_raw=pl.coalesce("state_raw", "state").cast(pl.String)
    )
    fields = CALL.to_schema()
    return settled.select(pl.col(name).cast(dtype, strict=False) for name, dtype in fields.items())
