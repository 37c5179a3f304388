"""Checks of a conversation as a whole: how many turns it took, and whether it ends in an answer."""

from typing import Final

import numpy as np
import polars as pl

from batcheval.checks.conversations.talk import last_of, talk_of
from batcheval.checks.operands import either, sentence, whole
from batcheval.schema import OUTPUT, TOOL_CALLS
from batcheval.scorer import Verdict, batched, check, passed

__all__ = ["answered", "max_turns"]


def _turns(messages: pl.Series) -> pl.Series:
    talk = talk_of(messages)
    count = np.bincount(talk.rows[talk.by("user")], minlength=len(messages))
    return pl.Series(count).cast(pl.Int64).set(pl.Series(talk.lengths == 0), None)


def _answered(messages: pl.Series, calls: pl.Series, outputs: pl.Series) -> pl.Series:
    """By the messages; where they do not tell when calls were made, there is just the output."""
    talk = talk_of(messages)
    field = pl.element().struct.field
    counts = (field("name") != "") & field("state").ne_missing("partial")
    made = calls.list.eval(pl.when(counts).then(field("message")).drop_nulls()).list.max()
    spoken = talk.by("assistant") & talk.with_text()
    last = last_of(spoken, talk.rows, len(messages))
    place = np.where(last >= 0, last - talk.starts, -1)
    after = pl.Series(place) > made.cast(pl.Int64)
    says = outputs.fill_null("").str.strip_chars() != ""
    told = pl.Series(talk.lengths > 0) & made.is_not_null()
    return says.zip_with(~told, after.fill_null(False))


_TURNS: Final = pl.col("messages").map_batches(_turns, return_dtype=pl.Int64, is_elementwise=True)
_ANSWERED: Final = batched(_answered, pl.col("messages"), TOOL_CALLS, OUTPUT)


@check
def max_turns(max: int) -> Verdict:
    """The conversation took at most `max` turns, messages of the user: 1.0, else 0.0.

    A row without `messages` is unscored. Details: `turns`.

    Args:
        max: 0 or more.

    Raises:
        BadArgumentError: `max` is not a whole number of at least 0.

    Example:
        >>> messages = [{"role": "user", "content": "Hello?"}] * 2
        >>> traces = pl.DataFrame({"messages": [messages, messages[:1]]})
        >>> traces.select(max_turns(1).score).to_series().to_list()
        [0.0, 1.0]
    """
    most = whole("max", max, 0)
    found = f"the conversation took {{}} {{}}, and should take at most {most}"
    reason = sentence(_TURNS, found, _TURNS, either(_TURNS == 1, "turn", "turns"))
    return passed(most >= _TURNS, pl.struct(turns=_TURNS), reason)


@check
def answered() -> Verdict:
    """The run ends in an answer, text of the assistant after the last tool call: 1.0, else 0.0.

    The text must stand in a later message than the last call's `message`. Where there are no
    messages, or no call tells its own, any `output` is taken for an answer. Details: `answered`.

    Example:
        >>> texts = "Let me see.", "Sunny."
        >>> messages = [{"role": "assistant", "content": text} for text in texts]
        >>> calls = [{"name": "weather", "state": "ok", "message": 0}]
        >>> rows = {"messages": [messages, messages[:1]], "output": ["Sunny.", "Let me see."]}
        >>> traces = pl.DataFrame({**rows, "tool_calls": [calls, calls]})
        >>> traces.select(answered().score).to_series().to_list()
        [1.0, 0.0]
    """
    told = either(_ANSWERED == 1, "ends", "does not end")
    reason = sentence(_ANSWERED, "the run {} in an answer, which it should", told)
    return Verdict(_ANSWERED, pl.struct(answered=_ANSWERED == 1), reason)
