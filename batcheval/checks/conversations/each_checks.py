"""Checks applied to each turn of a conversation, or to all that a role said."""

from collections.abc import Sequence

import polars as pl

from batcheval.checks.combining.parts import part
from batcheval.checks.conversations.each import Each
from batcheval.checks.conversations.folding import Way, folding
from batcheval.checks.conversations.talk import ROLES, Role
from batcheval.checks.conversations.units import OF_RUN, OF_TURN, Units, said
from batcheval.checks.conversations.units import turns as turns_of
from batcheval.checks.operands import share
from batcheval.errors import BadArgumentError
from batcheval.schema import CANONICAL, root
from batcheval.scorer import Scorer, Verdict, check

__all__ = ["said_by", "turns"]


@check
def turns(
    of: Scorer,
    *,
    score: Way = "mean",
    least: float | None = None,
    at: int | Sequence[int] | None = None,
) -> Verdict:
    """Another check applied to each turn of the conversation: the mean of its scores, or the least.

    A turn is a message of the user and what follows it, up to the next one. The check sees that
    alone: as `input` what the user said, as `output` the assistant's last text, or none, as
    `tool_calls` those whose `message` lies in it, and its `messages` and `assistant_texts`. Of what
    is told of a run as a whole, trajectory, tokens, cost and latency, it sees nothing; all else,
    such as `expected`, is that of the run. A gate on one turn is a gate on a scorer with `at`.

    Unscored turns are left out; a row is unscored without a scored one, without `messages`, or, if
    the check reads calls, where nothing tells in which of several turns they were made. Details:
    `scored`, how many turns were; `turns`, the `index` (from 0), `score` and `reason` of each.

    Args:
        of: the other check; combinations too.
        score: `mean`, `min`, or `all`: 1.0 if each scores 1.0, else 0.0.
        least: in 0..1; a turn that scores so much counts as 1.0, any other as 0.0.
        at: the index of the turn that counts, or several: 0 is the first, -1 the last.

    Raises:
        BadArgumentError: an argument is of another kind.

    Example:
        >>> from batcheval.checks import includes
        >>> talk = [("user", "Oslo?"), ("assistant", "Sunny."), ("user", "Rome?")]
        >>> messages = [{"role": role, "content": text} for role, text in talk]
        >>> traces = pl.DataFrame({"messages": [messages, messages[:2]]})
        >>> traces.select(turns(includes("sunny")).score).to_series().to_list()
        [0.5, 1.0]

    Source: the turns of Mastra's `runEvals`, each judged on its own input and output.
    """
    one, bound = part("of", of), None if least is None else share("least", least)
    reads = {name: root(name, CANONICAL) for name in one.columns}
    needed = set(reads.values())
    calls = ["tool_calls"] if "tool_calls" in needed else []
    rest = [name for name, top in reads.items() if top not in (*OF_TURN, *OF_RUN)]

    def units(rows: pl.DataFrame) -> Units:
        return turns_of(rows["messages"], rows["tool_calls"] if calls else None, needed)

    columns = ("messages", *calls, *sorted(rest))
    return Each(one, columns, units, folding(score, bound, at), "turns").verdict()


@check
def said_by(
    role: Role,
    of: Scorer,
    *,
    score: Way = "mean",
    least: float | None = None,
    at: int | Sequence[int] | None = None,
) -> Verdict:
    """Another check applied to each message of a role: the mean of its scores, or the least.

    The check reads the text of the message as `output`; all else is that of the run. Messages
    without text are left out, and so are unscored ones; a row without any other is unscored.
    Details: `scored`, how many messages were; `messages`, the `index` among the messages of the
    run (from 0), the `score` and the `reason` of each.

    Args:
        role: `user`, `assistant` or `system`.
        of: the other check; combinations too.
        score: as in `turns`.
        least: likewise.
        at: the place among the messages of that role: 0 is the first, -1 the last.

    Raises:
        BadArgumentError: an argument is of another kind.

    Example:
        >>> from batcheval.checks import excludes
        >>> talk = [("user", "Hello"), ("assistant", "Yes?"), ("user", "This is useless!")]
        >>> messages = [{"role": role, "content": text} for role, text in talk]
        >>> traces = pl.DataFrame({"messages": [messages, messages[:2]]})
        >>> content = said_by("user", excludes("useless"), score="all")
        >>> traces.select(content.score).to_series().to_list()
        [0.0, 1.0]
    """
    if role not in ROLES:
        raise BadArgumentError("role", "'user', 'assistant' or 'system'", role)
    one, bound = part("of", of), None if least is None else share("least", least)
    rest = {name for name in one.columns if root(name, CANONICAL) not in ("output", "messages")}

    def units(rows: pl.DataFrame) -> Units:
        return said(rows["messages"], role)

    columns = ("messages", *sorted(rest))
    return Each(one, columns, units, folding(score, bound, at), "messages").verdict()
