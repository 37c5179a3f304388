"""Pairs: the rows of two runs that have one key, each in one pair at most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from batcheval.comparing.distinct import KEY, SHOWN, Keys, averaged, has_key, keys_of
from batcheval.comparing.keys import Key, columns_of, comparable, keys_to_try, lies_in
from batcheval.comparing.runs import Run
from batcheval.errors import NoPairsError, quoted
from batcheval.schema import with_paths

BASE: Final = "base:"
CANDIDATE: Final = "candidate:"
EXTRA: Final = "of:"


@dataclass(frozen=True)
class Side:
    """What became of the rows of one run.

    Attributes:
        rows: how many there are.
        unpaired: how many have no partner, those without a key among them.
        without_key: how many have null in the key.
        repeated: how many keys stand for several trials, whose mean scores are compared.
        examples: the keys of the first few unpaired rows.
    """

    rows: int
    unpaired: int
    without_key: int
    repeated: int
    examples: list[dict[str, Any]]


@dataclass(frozen=True)
class Pairs:
    """The pairs of two runs.

    Attributes:
        key: the columns by which they were made.
        frame: a row a pair: the key under `key:<name>`, further columns under `of:<name>`, scores
            under `base:<scorer>` and `candidate:<scorer>`, in the order of the base.
        base: what became of the rows of the base.
        candidate: what became of those of the candidate.
    """

    key: Key
    frame: pl.DataFrame
    base: Side
    candidate: Side

    @property
    def made_by(self) -> str:
        """How they were made, in words."""
        names = quoted(self.key)
        sides = {"base": self.base.repeated, "candidate": self.candidate.repeated}
        repeats = [f"{number:,} of the {name}" for name, number in sides.items() if number]
        means = f"; means of trials stand for {' and '.join(repeats)}" if repeats else ""
        return f"rows with the same {names.replace(', ', ' and ')}{means}"


def pair(
    base: Run,
    candidate: Run,
    scorers: Sequence[str],
    key: str | Sequence[str] | None = None,
    extra: Mapping[str, str] | None = None,
) -> Pairs:
    """Pair the rows of two runs by key.

    Args:
        base: the run to compare with.
        candidate: the run in question.
        scorers: the scorers that both have.
        key: a column or several; ids that are numbers here and text there are the same. Without:
            `task_id` and, where both runs have it, `trial`; if no row pairs by it, `trace_id`.
        extra: further columns of the pairs, each with the option that asks for it. They are the
            base's where it has them, else the candidate's.

    Raises:
        UnkeptColumnError: the scores lack a column.
        RepeatedKeysError: a key stands on several rows that are no trials of one task.
        NoPairsError: no key of one run is in the other.
    """
    tries = keys_to_try(base, candidate, key)
    for names in tries:
        pairs = _pair_by(base, candidate, scorers, names, extra or {})
        if pairs.frame.height:
            return pairs
    raise NoPairsError([quoted(names) for names in tries] or ["'task_id'", "'trace_id'"])


def _pair_by(
    base: Run, candidate: Run, scorers: Sequence[str], names: Key, extra: Mapping[str, str]
) -> Pairs:
    left, right = (columns_of(run, names, "the key") for run in (base, candidate))
    homes = {name: _home(base, candidate, name, option) for name, option in extra.items()}
    sides: list[tuple[pl.LazyFrame, Keys]] = []
    for run, own, others, prefix in (
        (base, left, right, BASE),
        (candidate, right, left, CANDIDATE),
    ):
        mine = [name for name, home in homes.items() if home is run]
        keyed = with_paths(run.scores, dict.fromkeys([*names, *mine], "the key")).with_columns(
            comparable(name, own[name], others[name]).alias(KEY + name) for name in names
        )
        keys = keys_of(run, keyed, names)
        rows = keyed.filter(has_key(names)).select(
            *(KEY + name for name in names),
            *(pl.col(name).alias(EXTRA + name) for name in mine),
            *(pl.col(scorer).cast(pl.Float64).alias(prefix + scorer) for scorer in scorers),
        )
        scores = [prefix + scorer for scorer in scorers]
        sides.append((averaged(rows, names, scores) if keys.repeated else rows, keys))
    (rows, keys), (other_rows, other_keys) = sides
    columns = [KEY + name for name in names]
    joined = rows.join(other_rows, on=columns, nulls_equal=True, maintain_order="left")
    frame = joined.collect()
    left_side = _side(keys, other_keys, frame.height)
    return Pairs(names, frame, left_side, _side(other_keys, keys, frame.height))


def _home(base: Run, candidate: Run, name: str, option: str) -> Run:
    """The run that a further column is taken from."""
    run = base if lies_in(base, name) or not lies_in(candidate, name) else candidate
    columns_of(run, [name], option)
    return run


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
