"""pair(): which key two runs share, and their rows paired by it."""

from collections.abc import Mapping, Sequence

import polars as pl

from batcheval.comparing.evidence import TOOL, holds
from batcheval.comparing.joining import pair_by
from batcheval.comparing.keys import INPUT, keys_to_try
from batcheval.comparing.pairs import Pairs
from batcheval.comparing.runs import Run
from batcheval.comparing.sources import looked_up
from batcheval.errors import LostTracesError, NoPairsError, UnkeptColumnError, quoted


def pair(
    base: Run,
    candidate: Run,
    scorers: Sequence[str],
    key: str | Sequence[str] | None = None,
    extra: Mapping[str, str] | None = None,
    traces: pl.LazyFrame | None = None,
) -> Pairs:
    """Pair the rows of two runs by key.

    Args:
        base: the run to compare with.
        candidate: the run in question.
        scorers: the scorers that both have.
        key: a column or several; ids that are numbers here and text there are the same. Without:
            `task_id` and, where both runs have it, `trial`; if no row pairs by it, `trace_id`; if
            none does, `input`.
        extra: further columns of the pairs, each with the option that asks for it. They are the
            base's where it has them, else the candidate's; of `tool`, those of both together.
        traces: where to look up what the scores lack, instead of in the files that they name.

    Raises:
        UnkeptColumnError: the scores lack a column, and do not say where their traces are.
        LostTracesError: they lack it, and their traces are gone.
        RepeatedKeysError: a key stands on several rows that are no trials of one task.
        NoPairsError: no key of one run is in the other.
    """
    further, tries = extra or {}, keys_to_try(base, candidate, key)
    asked = [] if key is None else tries[0]
    base, candidate = completed(base, candidate, asked, further, traces)
    for names in tries:
        pairs = pair_by(base, candidate, scorers, names, tuple(further))
        if pairs.frame.height:
            return pairs
    tried = [quoted(names) for names in tries] or ["'task_id'", "'trace_id'"]
    if key is not None:
        raise NoPairsError(tried)
    try:
        base, candidate = completed(base, candidate, [INPUT], {}, traces)
    except UnkeptColumnError as error:
        raise NoPairsError(tried) from error
    except LostTracesError as error:
        raise NoPairsError(tried, str(error)) from error
    pairs = pair_by(base, candidate, scorers, (INPUT,), tuple(further))
    if not pairs.frame.height:
        raise NoPairsError([*tried, f"'{INPUT}'"])
    return pairs


def completed(
    base: Run,
    candidate: Run,
    key: Sequence[str],
    extra: Mapping[str, str],
    traces: pl.LazyFrame | None,
) -> tuple[Run, Run]:
    """Both runs with the columns that are asked for, looked up in their traces where needed."""
    runs = base, candidate
    needed = [dict.fromkeys(key, "the key") for _ in runs]
    for name, option in extra.items():
        if name == TOOL or not any(holds(run.scores, name) for run in runs):
            needed[0][name] = option
        if name == TOOL:
            needed[1][name] = option
    left, right = (
        looked_up(run, names, traces, short=True) for run, names in zip(runs, needed, strict=True)
    )
    return left, right
