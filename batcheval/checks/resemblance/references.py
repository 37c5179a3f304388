"""The texts that an output is held against: one, or several of which the nearest counts."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import msgspec
import polars as pl

from batcheval.checks.operands import fold, operand
from batcheval.errors import BadArgumentError

Prepare: TypeAlias = Callable[[pl.Expr], pl.Expr]

LISTS: Final = pl.List(pl.String)
_FORMS: Final = ("NFC", "NFD", "NFKC", "NFKD")
_WANTED: Final = "a text, a list of texts or an expression such as pl.col('expected')"


def wanted(name: str, value: object) -> pl.Expr:
    """What a check is given to compare with, as an expression of texts or of lists of texts.

    Raises:
        BadArgumentError: `value`, the argument `name`, is neither text, texts nor an expression.
    """
    if isinstance(value, pl.Expr):
        return value
    if isinstance(value, str):
        return operand(name, value)
    if not isinstance(value, list | tuple) or not value:
        raise BadArgumentError(name, _WANTED, value)
    if not all(isinstance(text, str) for text in value):
        raise BadArgumentError(name, _WANTED, value)
    for text in value:
        operand(name, text)
    return pl.lit(list(value), dtype=LISTS)


def prepared(ignore_case: bool, normalize: str | None) -> Prepare:
    """What is done to either text before they are compared.

    Raises:
        BadArgumentError: `ignore_case` is no Boolean, or `normalize` no form of Unicode.
    """
    if normalize is not None and normalize not in _FORMS:
        raise BadArgumentError("normalize", "one of NFC, NFD, NFKC, NFKD", normalize)
    fold(pl.lit(""), ignore_case)

    def prepare(text: pl.Expr) -> pl.Expr:
        composed = text if normalize is None else text.str.normalize(normalize)  # type: ignore[arg-type]
        return fold(composed, ignore_case)

    return prepare


def listed(values: pl.Series, several: bool) -> pl.Series:
    """A column of references as lists of texts; null where a row has none.

    Args:
        values: lists; or texts, one a row, or with `several` a JSON list of them.
        several: whether texts are JSON lists; one that is no list of texts is null.

    Example:
        >>> listed(pl.Series(['["a", "b"]', "[]", "a"]), several=True).to_list()
        [['a', 'b'], None, None]
        >>> listed(pl.Series(["a", None]), several=False).to_list()
        [['a'], None]
    """
    if isinstance(values.dtype, pl.List):
        lists = values.cast(LISTS).list.drop_nulls()
    elif several:
        lists = pl.Series([_texts(text) for text in values.cast(pl.String)], dtype=LISTS)
    else:
        texts = values.cast(pl.String).alias("text").to_frame()
        lists = texts.select(pl.concat_list("text").list.drop_nulls()).to_series()
    return lists.set((lists.list.len() == 0).fill_null(False), None)


def _texts(text: str | None) -> Sequence[str] | None:
    try:
        return None if text is None else msgspec.json.decode(text, type=list[str])
    except (msgspec.DecodeError, RecursionError):
        return None


def changed(texts: pl.Series, prepare: Prepare) -> pl.Series:
    """Texts, or lists of them, prepared."""
    frame = texts.alias("text").to_frame()
    if texts.dtype == LISTS:
        return frame.select(pl.col("text").list.eval(prepare(pl.element()))).to_series()
    return frame.select(prepare(pl.col("text"))).to_series()
