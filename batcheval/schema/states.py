"""How a tool call ended: ok, error, pending, denied or partial."""

from typing import Final

import msgspec
import polars as pl

from batcheval.schema.columns import CALL, STATE_WORDS, STATES

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
    signs = [pl.col(name).fill_null(False) for name in ("is_error", "result_error") if name in has]
    signs += [pl.col("error").is_not_null()] if "error" in has else []
    word = calls["state"] if "state" in has else nulls(pl.String(), calls.height)
    if "state_raw" in has:  # they were settled before, and a state of ours is no dump's word
        raw = pl.coalesce("state_raw", pl.when(~word.is_in(STATES)).then(word))
    else:
        raw = pl.lit(word).alias("state_raw")
    settled = calls.with_columns(_known(word).alias("state")).with_columns(
        _judged(signs).alias("state"), raw
    )
    return pl.DataFrame(
        [
            settled[name].cast(dtype, strict=False)
            if name in settled.columns
            else nulls(dtype, calls.height).alias(name)
            for name, dtype in pl.Schema(CALL.to_schema()).items()
        ]
    )


def _known(words: pl.Series) -> pl.Series:
    """The states that words of a dump tell, null for a word that is not known."""
    told = {word: STATE_WORDS.get(word.lower()) for word in words.unique().drop_nulls()}
    same = all(word == state for word, state in told.items())
    return words if same else words.replace_strict(told, return_dtype=pl.String)


def _judged(signs: list[pl.Expr]) -> pl.Expr:
    """The state, where the signs of an error have their say."""
    told = pl.col("state")
    if not signs:
        return told.fill_null("ok")
    inferred = pl.when(pl.any_horizontal(signs)).then(pl.lit("error")).otherwise(pl.lit("ok"))
    return pl.when(told == "ok").then(inferred).otherwise(told.fill_null(inferred))


def nulls(dtype: pl.DataType, rows: int) -> pl.Series:
    """A column without any value."""
    return pl.Series([None], dtype=dtype).new_from_index(0, rows)
