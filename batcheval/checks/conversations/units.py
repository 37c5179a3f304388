"""Turns, or messages of a role, as a table that a check can score: a row each."""

from collections.abc import Collection
from typing import Final, NamedTuple

import numpy as np
import polars as pl

from batcheval.checks.conversations.placing import placed
from batcheval.checks.conversations.talk import Bools, Ints, Role, Talk, last_of, talk_of
from batcheval.schema.columns import CANONICAL
from batcheval.schema.series import relisted

# What a turn has of its own, and what is only told of the run as a whole.
OF_TURN: Final = ("input", "output", "assistant_texts", "messages", "tool_calls")
OF_RUN: Final = (
    *("trajectory", "input_tokens", "output_tokens", "total_tokens", "cached_tokens"),
    *("cost", "latency_ms"),
)


class Units(NamedTuple):
    """What is scored, and where it comes from.

    Attributes:
        rows: the row of each unit.
        places: its index within the row: of the turn, or of the message.
        columns: what replaces the columns of the row.
        unknown: rows of which what is needed is not known.
    """

    rows: Ints
    places: Ints
    columns: dict[str, pl.Series]
    unknown: Bools


def said(messages: pl.Series, role: Role) -> Units:
    """The messages of a role that say something, each as an output."""
    talk = talk_of(messages)
    places = np.flatnonzero(talk.by(role) & talk.with_text())
    rows = talk.rows[places]
    columns = {"output": talk.texts.gather(places)}
    return Units(rows, places - talk.starts[rows], columns, np.zeros(len(messages), np.bool_))


def turns(messages: pl.Series, calls: pl.Series | None, needed: Collection[str]) -> Units:
    """The turns: each a message of the user and what follows it, up to the next one.

    Args:
        messages: of all rows.
        calls: of all rows too, None where nothing needs them.
        needed: which columns are to be made.
    """
    talk = talk_of(messages)
    opens = talk.by("user")
    begins = np.flatnonzero(opens)
    rows = talk.rows[begins]
    count = np.bincount(rows, minlength=len(messages))
    first = np.cumsum(count) - count
    turn = np.cumsum(opens) - 1
    turn[turn < first[talk.rows]] = -1  # before the first of its row
    columns = {
        name: pl.Series([None], dtype=CANONICAL[name]).new_from_index(0, len(begins))
        for name in OF_RUN
        if name in needed
    }
    unknown = np.zeros(len(messages), np.bool_)
    columns |= _texts(talk, begins, turn, needed)
    if "messages" in needed:
        flat = messages.explode(empty_as_null=False, keep_nulls=False)
        columns["messages"] = relisted(flat.filter(pl.Series(turn >= 0)), _sizes(turn, len(begins)))
    if calls is not None:
        columns["tool_calls"], unknown = placed(calls, talk, turn, begins)
    return Units(rows, np.arange(len(begins)) - first[rows], columns, unknown)


def _texts(talk: Talk, begins: Ints, turn: Ints, needed: Collection[str]) -> dict[str, pl.Series]:
    spoken = talk.by("assistant") & talk.with_text()
    columns = {"input": talk.texts.gather(begins)}
    last = last_of(spoken, turn, len(begins))
    found = talk.texts.gather(np.maximum(last, 0)) if len(talk.texts) else talk.texts
    columns["output"] = found.set(pl.Series(last < 0), "")
    if "assistant_texts" in needed:
        kept = spoken & (turn >= 0)
        texts = talk.texts.filter(pl.Series(kept))
        columns["assistant_texts"] = relisted(texts, _sizes(turn[kept], len(begins)))
    return {name: column for name, column in columns.items() if name in needed}


def _sizes(groups: Ints, count: int) -> pl.Series:
    return pl.Series(np.bincount(groups[groups >= 0], minlength=count))
