"""Sequences of tool names: how an expected one is written, and whether a run followed it."""

from collections.abc import Sequence

import msgspec
import numpy as np
import polars as pl
from numpy.typing import NDArray

from batcheval.errors import BadArgumentError


class Call(msgspec.Struct):
    """An expected call, by any of the names that its name goes by."""

    name: str | None = None
    tool_name: str | None = None
    toolName: str | None = None
    function: "Call | None" = None

    def called(self) -> str:
        own = self.name or self.tool_name or self.toolName
        return own or (self.function.called() if self.function else "")


Ints = NDArray[np.int64]

_decode = msgspec.json.Decoder(list[str | Call]).decode


def expected_names(order: object) -> pl.Expr:
    """The argument `expected_order` as List(String): a list of names, or an expression of orders.

    Raises:
        BadArgumentError: it is neither, or one of the names is empty or no text.
    """
    if isinstance(order, pl.Expr):
        return names_per_row(order)
    names = list(order) if isinstance(order, Sequence) and not isinstance(order, str) else [None]
    if not all(isinstance(name, str) and name for name in names):
        raise BadArgumentError("expected_order", "a list of tool names or an expression", order)
    return pl.lit(names, dtype=pl.List(pl.String))


def names_per_row(orders: pl.Expr) -> pl.Expr:
    """Orders, lists of names or JSON text of such, as List(String).

    A row is null, which is unscored, where there is no order, where its text is no JSON list of
    names or of objects with a name, and where one of the names is blank.

    Example:
        >>> frame = pl.DataFrame({"order": ['["a", "b"]', '[{"name": "a"}]', "[]", '[""]', "a, b"]})
        >>> frame.select(names_per_row(pl.col("order"))).to_series().to_list()
        [['a', 'b'], ['a'], [], None, None]
    """
    return orders.map_batches(_lists, return_dtype=pl.List(pl.String), is_elementwise=True)


def _lists(orders: pl.Series) -> pl.Series:
    if orders.dtype == pl.String:
        lists = [None if text is None else _names(text) for text in orders]
        orders = pl.Series(orders.name, lists, pl.List(pl.String))
    names = orders.cast(pl.List(pl.String))
    blank = names.list.eval(pl.element().is_null() | (pl.element() == "")).list.any()
    return names.zip_with(~blank, pl.Series([None], dtype=names.dtype))


def _names(text: str) -> list[str] | None:
    try:
        calls = _decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
    return [call.called() if isinstance(call, Call) else call for call in calls]


def in_order(called: pl.Series, wanted: pl.Series) -> pl.Series:
    """Whether the names `wanted` stand among those `called`, in order; others may lie between.

    Goes through the calls of all rows at once: at each step, a row whose next call is the name it
    waits for goes on to the next name.

    Args:
        called: lists of names.
        wanted: as many lists of names; null where there is no order, and so no answer.

    Example:
        >>> wanted = pl.Series([["a", "b"], ["a", "b"]])
        >>> in_order(pl.Series([["a", "c", "b"], ["b", "a"]]), wanted).to_list()
        [True, False]
    """
    (calls, ends), (wants, goals) = _flat(called), _flat(wanted)
    names = pl.Enum(wants.unique())
    call, want = _coded(calls, names), _coded(wants, names)
    met = followed(call, ends, want, np.cumsum(goals) - goals, goals)
    return pl.Series(met).set(wanted.is_null(), None)


def followed(
    call: Ints, ends: Ints, want: Ints, first_want: Ints, goals: Ints
) -> NDArray[np.bool_]:
    """Whether each row has what it wants among its calls, in order.

    Args:
        call: the calls of all rows end to end, as numbers.
        ends: how many of them each row has.
        want: what is wanted, likewise; several rows may want the same.
        first_want: where in it each row begins.
        goals: how much each row wants.
    """
    first_call = np.cumsum(ends) - ends
    met, step = np.zeros_like(goals), 0
    rows = np.arange(len(goals))
    while (rows := rows[(step < ends[rows]) & (met[rows] < goals[rows])]).size:
        met[rows] += call[first_call[rows] + step] == want[first_want[rows] + met[rows]]
        step += 1
    return np.equal(met, goals)


def _flat(lists: pl.Series) -> tuple[pl.Series, Ints]:
    """The items of all lists end to end, and the length of each list."""
    lengths = lists.list.len().fill_null(0).cast(pl.Int64).to_numpy()
    return lists.explode(empty_as_null=False, keep_nulls=False), lengths


def _coded(names: pl.Series, known: pl.Enum) -> Ints:
    """Names as numbers, one that is not known as -1."""
    return names.cast(known, strict=False).to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
