"""How a tool call ended: ok, error, pending, denied or partial."""

from typing import Final

import msgspec
import polars as pl

from batcheval.schema.columns import CALL, STATE_WORDS

_FALSY: Final = frozenset((b"null", b"false", b'""', b"0", b"0.0", b"-0", b"-0.0", b""))


class _Result(msgspec.Struct):
    error: msgspec.Raw = msgspec.Raw(b"")


_result = msgspec.json.Decoder(_Result).decode


def is_truthy(raw: bytes) -> bool:
    """Whether a JSON value is neither null, false, zero nor an empty string."""
    return raw not in _FALSY


def has_error(raw: bytes) -> bool:
    """Whether a result is an object with a truthy `error`.

    Example:
        >>> has_error(b'{"error": "boom"}'), has_error(b'{"error": null}'), has_error(b'"error"')
        (True, False, False)
    """
    if raw[:1] != b"{":
        return False
    try:
        return is_truthy(bytes(_result(raw).error))
    except (msgspec.DecodeError, RecursionError):
        return False


def settle(calls: pl.DataFrame) -> pl.DataFrame:
    """Calls with their state settled, as the canonical fields.

    Args:
        calls: a row a call, with any of: the canonical fields (`state` as the dump's word), and the
            signs of an error `is_error` and `result_error`, Boolean.

    Returns:
        The fields of `CALL`. A known word gives the state, save that an error was signalled for a
        call said to be ok; without a known word the signs decide. `state_raw` keeps the word.
    """
    has = calls.schema
    word = pl.col("state") if "state" in has else pl.lit(None, pl.String)
    signs = [pl.col(name).fill_null(False) for name in ("is_error", "result_error") if name in has]
    signs += [pl.col("error").is_not_null()] if "error" in has else []
    failed = pl.any_horizontal(signs) if signs else pl.lit(False)
    inferred = pl.when(failed).then(pl.lit("error")).otherwise(pl.lit("ok"))
    known = word.str.to_lowercase().replace_strict(STATE_WORDS, default=None)
    fields = {
        "state": pl.when(known == "ok").then(inferred).otherwise(known.fill_null(inferred)),
        "state_raw": pl.coalesce("state_raw", word) if "state_raw" in has else word,
    }
    given = {name: pl.col(name) if name in has else pl.lit(None) for name in CALL.to_schema()}
    exprs = {**given, **fields}
    return calls.select(
        exprs[name].cast(dtype, strict=False).alias(name)
        for name, dtype in CALL.to_schema().items()
    )
