"""Lists of texts that a check is given: as they stand, or one list per row."""

from collections.abc import Sequence
from functools import partial

import msgspec
import polars as pl

from batcheval.checks.folding import Folding
from batcheval.errors import BadArgumentError, BlankArgumentError

_LIST = pl.List(pl.String)
_decode = msgspec.json.Decoder(list[str]).decode


def texts(name: str, value: object, *, blank: bool = False) -> list[str]:
    """A list of texts, at least one, none of them empty unless `blank`.

    Raises:
        BadArgumentError: `value`, the argument `name`, is no list of texts.
        BlankArgumentError: the list or one of the texts is empty.
    """
    listed = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else [None]
    good = [text for text in listed if isinstance(text, str)]
    if len(good) < len(listed) or any("\ud800" <= char <= "\udfff" for char in "".join(good)):
        raise BadArgumentError(name, "a list of texts or an expression with one per row", value)
    if not good or not (blank or all(good)):
        raise BlankArgumentError(f"'{name}'" if not good else f"a text of '{name}'")
    return good


def texts_per_row(lists: pl.Expr, *, blank: bool = False) -> pl.Expr:
    """Lists of texts, or JSON text of such, as List(String).

    A row is null, which is unscored, where there is no list, an empty one, or JSON text of
    anything else; where one of its texts is null; and, unless `blank`, where one is empty.

    Example:
        >>> frame = pl.DataFrame({"x": ['["a", "b"]', "[]", '[""]', "a, b", None]})
        >>> frame.select(texts_per_row(pl.col("x"))).to_series().to_list()
        [['a', 'b'], None, None, None, None]
    """
    read = partial(_lists, blank=blank)
    return lists.map_batches(read, return_dtype=_LIST, is_elementwise=True)


def _lists(lists: pl.Series, blank: bool) -> pl.Series:
    if lists.dtype == pl.String:
        read = [None if text is None else _texts(text) for text in lists.to_list()]
        lists = pl.Series(lists.name, read, _LIST)
    listed = lists.cast(_LIST)
    odd = pl.element().is_null() | (pl.lit(not blank) & (pl.element() == ""))
    bad = listed.list.eval(odd).list.any() | (listed.list.len() == 0)
    return listed.zip_with(~bad, pl.Series([None], dtype=_LIST))


def _texts(text: str) -> list[str] | None:
    try:
        return _decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None


def folded_list(listed: list[str], folding: Folding) -> list[str]:
    """The texts as they are compared."""
    return pl.select(folding(pl.lit(pl.Series(listed)))).to_series().to_list()


def picked(
    text: pl.Expr, wanted: list[str] | pl.Expr, folding: Folding, *, present: bool
) -> pl.Expr:
    """Those of the texts `wanted` that are in `text`, or those that are not, as List(String).

    Args:
        text: folded already.
        wanted: a list for the table, or List(String) per row: null where a row is unscored.
        folding: how the wanted texts are folded.
        present: those in the text, else those that it lacks.
    """
    if isinstance(wanted, list):
        pairs = list(zip(folded_list(wanted, folding), wanted, strict=True))

        def pick(batch: pl.Series) -> pl.Series:
            return pl.Series([_of(row, pairs, present) for row in batch.to_list()], dtype=_LIST)

        return text.map_batches(pick, return_dtype=_LIST, is_elementwise=True)

    def pick_rows(batch: pl.Series) -> pl.Series:
        rows = zip(
            *(column.to_list() for column in batch.struct.unnest().get_columns()), strict=True
        )
        lists = [
            None if names is None else _of(row, list(zip(needles, names, strict=True)), present)
            for row, needles, names in rows
        ]
        return pl.Series(lists, dtype=_LIST)

    folded = wanted.list.eval(folding(pl.element()))
    rows = pl.struct(text.alias("0"), folded.alias("1"), wanted.alias("2"))
    return rows.map_batches(pick_rows, return_dtype=_LIST, is_elementwise=True)


def _of(text: str | None, pairs: list[tuple[str, str]], present: bool) -> list[str] | None:
    if text is None:
        return None
    return [name for needle, name in pairs if (needle in text) is present]
