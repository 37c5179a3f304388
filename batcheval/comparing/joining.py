"""The rows of two runs joined by a key, and what became of those without a partner."""

from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl

from batcheval.comparing.distinct import KEY, SHOWN, Keys, averaged, has_key, keys_of
from batcheval.comparing.evidence import TOOL, holds, with_evidence
from batcheval.comparing.keys import Key, comparable, types_of
from batcheval.comparing.pairs import BASE, CANDIDATE, EXTRA, Pairs, Side
from batcheval.comparing.runs import Run

ROW: Final = "\0row"  # the number of a row, where a run has it
_OTHER: Final = "\0"


def pair_by(
    base: Run, candidate: Run, scorers: Sequence[str], names: Key, extra: Sequence[str]
) -> Pairs:
    """Pair the rows of two runs by the key `names`; what is told at `pair` holds here."""
    left, right = (types_of(run, names, "the key") for run in (base, candidate))
    own = {name for name in extra if holds(base.scores, name)}
    mine = {name: EXTRA + name for name in extra if name in own}
    theirs = {name: EXTRA + name for name in extra if name not in own}
    if TOOL in mine:
        theirs[TOOL] = EXTRA + TOOL + _OTHER
    rows, keys = _keyed(base, left, right, BASE, scorers, mine)
    other_rows, other_keys = _keyed(candidate, right, left, CANDIDATE, scorers, theirs)
    columns = [KEY + name for name in names]
    joined = rows.join(other_rows, on=columns, nulls_equal=True, maintain_order="left")
    frame = _united(joined).collect()
    left_side = _side(keys, other_keys, frame.height)
    return Pairs(names, frame, left_side, _side(other_keys, keys, frame.height))


def _keyed(
    run: Run,
    own: Mapping[str, pl.DataType],
    others: Mapping[str, pl.DataType],
    prefix: str,
    scorers: Sequence[str],
    extra: Mapping[str, str],
) -> tuple[pl.LazyFrame, Keys]:
    """The rows of a run, one a key, under the names that they have in pairs; and the keys."""
    names = tuple(own)
    keyed = with_evidence(run.scores, dict.fromkeys([*names, *extra], "by")).with_columns(
        comparable(name, own[name], others[name]).alias(KEY + name) for name in names
    )
    keys = keys_of(run, keyed, names)
    numbers = [ROW] if ROW in run.scores.collect_schema() else []
    rows = keyed.filter(has_key(names)).select(
        *(pl.col(name).alias(prefix + name) for name in numbers),
        *(KEY + name for name in names),
        *(pl.col(name).alias(new) for name, new in extra.items()),
        *(pl.col(scorer).cast(pl.Float64).alias(prefix + scorer) for scorer in scorers),
    )
    scores = [prefix + scorer for scorer in scorers]
    return (averaged(rows, names, scores) if keys.repeated else rows), keys


def _united(joined: pl.LazyFrame) -> pl.LazyFrame:
    """Of the tools, those that either run called."""
    own, other, schema = EXTRA + TOOL, EXTRA + TOOL + _OTHER, joined.collect_schema()
    if other not in schema:
        return joined
    if schema[own] != pl.List(pl.String):  # a column that somebody kept under this name
        return joined.drop(other)
    return joined.with_columns(pl.col(own).list.set_union(other)).drop(other)


def _side(keys: Keys, others: Keys, pairs: int) -> Side:
    without = keys.rows - keys.frame.height
    alone = keys.frame.clear()
    if keys.frame.height > pairs:
        alone = keys.frame.join(
            others.frame, on=keys.frame.columns, how="anti", nulls_equal=True, maintain_order="left"
        )
    examples = alone.unique(maintain_order=True).head(SHOWN) if alone.height else alone
    named = examples.rename(lambda name: name.removeprefix(KEY)).to_dicts()
    return Side(keys.rows, alone.height + without, without, keys.repeated, named)
