"""Checks of the order in which a run called tools, and of calls made at once."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from batcheval.checks.called.chosen import tool_named
from batcheval.checks.called.flat import Flat, Mask
from batcheval.checks.called.found import found
from batcheval.checks.called.parallel import most_at_once
from batcheval.checks.calls import NAMES
from batcheval.checks.counts import calls
from batcheval.checks.operands import flag, listing, quote, sentence, whole
from batcheval.checks.orders import in_order
from batcheval.checks.trajectories.rules import tool_names
from batcheval.errors import BadArgumentError
from batcheval.schema import TOOL_CALLS
from batcheval.scorer import Verdict, batched, check, passed

__all__ = ["forbidden_sequence", "parallel_calls", "required_before"]


@check
def required_before(first: str, then: str) -> Verdict:
    """The run called `first` before it called `then`: 1.0, else 0.0; 1.0 if it never called `then`.

    Details: `early_count`, the calls of `then` that came before any of `first`; `tools`, their
    names.

    Args:
        first: the exact name of the tool that must come first; how its call ended is not asked.
        then: that of the tool that needs it.

    Raises:
        BlankArgumentError: a name is empty.
        BadArgumentError: a name is no text, or both are the same.

    Example:
        >>> calls = [{"name": name, "state": "ok"} for name in ("verify", "refund")]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[::-1], calls[:1]]})
        >>> traces.select(required_before("verify", "refund").score).to_series().to_list()
        [1.0, 0.0, 1.0]
    """
    pair = [tool_named("first", first), tool_named("then", then)]
    if first == then:
        raise BadArgumentError("then", "another tool than 'first'", then)

    def early(calls: Flat) -> Mask:
        codes, place = calls.codes(pair), np.arange(calls.rows.size)
        needed = place[codes == 0][::-1]  # backwards, so that the first one of a row stays
        opened = np.full(calls.height, calls.rows.size)
        opened[calls.rows[needed]] = needed
        return (codes == 1) & (place < opened[calls.rows])

    named = [quote(pl.lit(name)) for name in pair]
    count, names = found(early)
    told = "the run made {} of {} before any of {}, and should make none"
    reason = sentence(count, told, calls(count), named[1], named[0])
    return passed(count == 0, pl.struct(early_count=count, tools=names), reason)


@check
def forbidden_sequence(sequence: Sequence[str], *, gaps: bool = False) -> Verdict:
    """The run never called these tools in this order: 1.0, else 0.0.

    Details: `actual_tools`, all that it called.

    Args:
        sequence: two names or more, in their case.
        gaps: other calls may lie between; else they must follow each other at once.

    Raises:
        BadArgumentError: `sequence` is no list of two names or more, or `gaps` no Boolean.

    Example:
        >>> calls = [{"name": name, "state": "ok"} for name in ("read", "think", "send")]
        >>> traces = pl.DataFrame({"tool_calls": [calls, calls[::2]]})
        >>> traces.select(forbidden_sequence(["read", "send"]).score).to_series().to_list()
        [1.0, 0.0]
        >>> loose = forbidden_sequence(["read", "send"], gaps=True)
        >>> traces.select(loose.score).to_series().to_list()
        [0.0, 0.0]
    """
    names = tool_names("sequence", sequence)
    if len(names) < 2:
        raise BadArgumentError("sequence", "a list of two names or more", sequence)
    wanted = pl.lit(names, dtype=pl.List(pl.String))
    if flag("gaps", gaps):
        met = batched(in_order, NAMES, wanted) == 1
    else:
        met = found(lambda calls: _ends(calls, names)).count > 0
    how = "in this order" if gaps else "in a row"
    told = f"the run called {{}}, and should never call {{}} {how}"
    reason = sentence(met, told, listing(NAMES), listing(wanted))
    return passed(~met, pl.struct(actual_tools=NAMES), reason)


@check
def parallel_calls(*, min: int = 2, max: int | None = None) -> Verdict:
    """The run made from `min` to `max` calls at once, at its busiest: 1.0, else 0.0.

    Calls of one message count as made at once; where no call of a run tells its message, those
    that were running at the same moment, by `started_at` and `duration_ms`. A run of two calls or
    more that tell neither is unscored. Details: `most_at_once`, `total_calls`.

    Args:
        min: 0 or more.
        max: the most; None for no limit. `min=0, max=1` asks for one call at a time.

    Raises:
        BadArgumentError: a limit is no whole number, or `max` is less than `min`.

    Example:
        >>> from batcheval.schema.columns import CALL
        >>> calls = [{"name": "a", "state": "ok", "message": n} for n in (1, 1, 3)]
        >>> calls = pl.Series([calls, calls[1:]], dtype=pl.List(CALL), strict=False)
        >>> traces = pl.DataFrame({"tool_calls": calls})
        >>> traces.select(parallel_calls().score).to_series().to_list()
        [1.0, 0.0]
    """
    least = whole("min", min, 0)
    most = None if max is None else whole("max", max, least)
    many = batched(most_at_once, TOOL_CALLS).cast(pl.Int64)
    holds = many >= least if most is None else many.is_between(least, most)
    asked = f"at least {least}" if most is None else f"from {least} to {most}"
    told = f"the run made up to {{}} at once, and should make {asked}"
    details = pl.struct(most_at_once=many, total_calls=NAMES.list.len().cast(pl.Int64))
    return passed(holds, details, sentence(many, told, calls(many)))


def _ends(calls: Flat, names: Sequence[str]) -> Mask:
    """The calls that begin a row of calls of these names."""
    known = list(dict.fromkeys(names))
    codes, size = calls.codes(known), calls.rows.size
    begins = np.ones(size, np.bool_)
    for ahead, name in enumerate(names):
        there = codes == known.index(name)
        begins[: size - ahead] &= there[ahead:] & (calls.rows[ahead:] == calls.rows[: size - ahead])
        begins[size - ahead :] = False
    return begins
