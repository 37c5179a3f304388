"""In which turn the tool calls of a run were made."""

import numpy as np
import polars as pl

from batcheval.checks.conversations.talk import Bools, Ints, Talk
from batcheval.schema.series import relist


def placed(calls: pl.Series, talk: Talk, turn: Ints, begins: Ints) -> tuple[pl.Series, Bools]:
    """The calls of each turn, and the rows with calls of which nobody knows in which they were.

    A call belongs to the turn of its `message`; one that tells none, such as a sub-agent's, to that
    of the call before it; and any to the only turn there is. Those before the first turn are in
    none. The `message` of a call is then counted from the first of its turn.

    Args:
        calls: of all rows.
        talk: their messages.
        turn: the turn of each message, -1 before the first one of a row.
        begins: by turn, the place of its first message.
    """
    lengths = calls.list.len().fill_null(0).cast(pl.Int64).to_numpy()
    rows = np.repeat(np.arange(len(lengths)), lengths)
    flat = calls.explode(empty_as_null=False, keep_nulls=False).struct.unnest()
    message = flat["message"].cast(pl.Int64).fill_null(-1).to_numpy()
    told = (message >= 0) & (message < talk.lengths[rows])
    place = _before(told, lengths)
    known = place >= 0
    at = (talk.starts[rows] + message)[place] if len(place) else place
    own = np.full(len(rows), -1, np.int64)
    own[known] = turn[at[known]]
    count = np.bincount(talk.rows[begins], minlength=len(lengths))
    alone = ~known & (count[rows] == 1)
    own[alone] = (np.cumsum(count) - count)[rows[alone]]
    unknown = np.bincount(rows[~known & ~alone], minlength=len(lengths)) > 0
    order = np.argsort(own, kind="stable")
    order = order[own[order] >= 0]
    within = talk.starts[rows] + message - begins[own] if len(begins) else message
    counted = pl.Series(within).set(pl.Series(~told), None)
    kept = flat.with_columns(counted.cast(pl.Int32).alias("message"))[order]
    return relist(kept, pl.Series(np.bincount(own[order], minlength=len(begins)))), unknown


def _before(told: Bools, lengths: Ints) -> Ints:
    """For each call the place of the last one in its row, itself too, that tells; -1 for none."""
    places = np.maximum.accumulate(np.where(told, np.arange(len(told)), -1))
    first = np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.where(places < first, -1, places)
