"""The arguments or results of the calls of one tool, judged."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import polars as pl

from batcheval.checks.called.asked import Asked
from batcheval.checks.called.flat import Flat, Ints, Mask, flat, ordinals
from batcheval.checks.operands import whole
from batcheval.checks.structured.documents import Parsed
from batcheval.errors import BadArgumentError

Which: TypeAlias = str | int

IN_WORDS = {"any": "one", "all": "each", "first": "the first", "last": "the last"}


class Tool(NamedTuple):
    """Which calls are looked at, and what is asked of them.

    Attributes:
        name: of the tool; None if rows bring one each.
        field: `args` or `result`.
        which: "any", "all", "first", "last" or a number.
        read: reads the text of a call.
        read_own: reads the text that a row brings; it has an error where that asks for nothing.
        asked: what is asked of them.
    """

    name: str | None
    field: str
    which: Which
    read: Callable[[str | None], Parsed]
    read_own: Callable[[str], Parsed]
    asked: Asked


class Judged(NamedTuple):
    """The calls of a batch that are looked at.

    Attributes:
        total: by row, the number of calls of the tool.
        looked: by row, how many of them are looked at.
        met: by row, how many of these are as asked; -1 where the row is unscored.
        rows: for each that is not as asked, its row.
        problems: and what is wrong with it.
    """

    total: Ints
    looked: Ints
    met: Ints
    rows: Ints
    problems: Sequence[str]

    def holds(self, which: Which) -> pl.Series:
        """Whether each row has what is asked for, null where it is unscored."""
        enough = self.met > 0 if which == "any" else (self.met == self.looked) & (self.looked > 0)
        return pl.Series(enough).set(pl.Series(self.met < 0), None)


def chosen_calls(which: object) -> Which:
    """Which calls of the tool are looked at.

    Raises:
        BadArgumentError: it is none of the words, and no number of at least 1.
    """
    if isinstance(which, str):
        if which not in IN_WORDS:
            raise BadArgumentError("calls", "'any', 'all', 'first', 'last' or a number", which)
        return which
    return whole("calls", which, 1)


def judge(tool: Tool, lists: pl.Series, columns: Sequence[pl.Series]) -> Judged:
    """Judge the calls of a batch.

    Args:
        tool: which calls, and what is asked of them.
        lists: the canonical column of calls.
        columns: the tool of each row, unless there is one for all; then what rows ask themselves.
    """
    whole_batch = flat(lists, tool.field)
    names = columns[0] if tool.name is None else None
    calls = whole_batch.kept(_of_tool(whole_batch, tool.name, names))
    looked = calls.kept(pl.Series(_chosen(calls, tool.which), dtype=pl.Boolean))
    found = _problems(tool, looked, columns[tool.name is None :])
    wrong = np.array([problem != "" for problem in found], np.bool_)
    met = looked.counts(~wrong)
    met[_silent(tool, columns)] = -1
    met[looked.rows[[place for place, problem in enumerate(found) if problem is None]]] = -1
    problems = [problem for problem in found if problem]
    told = np.array([bool(problem) for problem in found], np.bool_)
    return Judged(calls.counts(), looked.counts(), met, looked.rows[told], problems)


def _of_tool(calls: Flat, name: str | None, names: pl.Series | None) -> pl.Series:
    wanted: Any = name if names is None else names.gather(calls.rows)
    return calls.names == wanted


def _chosen(calls: Flat, which: Which) -> Mask:
    if which in ("any", "all"):
        return np.ones(calls.rows.size, np.bool_)
    place = ordinals(calls.rows)
    if which == "last":
        return place == calls.counts()[calls.rows] - 1
    return place == (0 if which == "first" else int(which) - 1)


def _problems(tool: Tool, calls: Flat, own: Sequence[pl.Series]) -> list[str | None]:
    """What is wrong with each call, asked once for equal ones."""
    read, read_own = cache(tool.read), cache(tool.read_own)

    @cache
    def problem(text: str | None, *wanted: str | None) -> str | None:
        asked = tuple(read_own(one or "") for one in wanted)
        return tool.asked.problem(read(text), asked)

    columns = [column.gather(calls.rows).to_list() for column in own]
    return list(map(problem, calls.calls[tool.field].to_list(), *columns))


def _silent(tool: Tool, columns: Sequence[pl.Series]) -> Ints:
    """The rows that ask for nothing."""
    silent = [column.is_null() for column in columns]
    for column in columns[tool.name is None :]:
        texts = column.unique().drop_nulls()
        unread = [text for text in texts if tool.read_own(text).error is not None]
        silent.append(column.is_in(unread).fill_null(False))
    return np.flatnonzero(np.any(silent, axis=0)) if silent else np.zeros(0, np.int64)
