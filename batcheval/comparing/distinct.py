"""Rows brought to one a key: repeats of a task are averaged, other doubles refused."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import polars as pl

from batcheval.comparing.keys import TRIAL
from batcheval.comparing.runs import Run, run_names
from batcheval.errors import RepeatedKeysError
from batcheval.repeats.records import recurring

KEY: Final = "key:"
SHOWN: Final = 5
_TRIAL: Final = "\0trial"


class Keys(NamedTuple):
    """The keys of the rows of a run.

    Attributes:
        frame: a row each, those without a key left out.
        rows: how many rows the run has.
        repeated: how many keys stand on several rows, as trials of one task.
    """

    frame: pl.DataFrame
    rows: int
    repeated: int


def keys_of(run: Run, keyed: pl.LazyFrame, names: Sequence[str]) -> Keys:
    """The keys, each looked at whether it stands once.

    Args:
        run: whose rows they are.
        keyed: the rows, with the columns of the key under their `KEY` names.
        names: the columns of the key. A row has no key if one but `trial` is null.

    Raises:
        RepeatedKeysError: some stand on several rows that are no trials of one task.
    """
    trial = pl.col(TRIAL) if TRIAL in keyed.collect_schema() else pl.lit(None)
    columns = [KEY + name for name in names]
    raw = keyed.select(*columns, trial.alias(_TRIAL)).collect()
    frame = raw.filter(has_key(names))
    doubles = _doubles(frame, columns)
    if doubles.height:
        _require_trials(run, doubles, columns)
    repeated = doubles.select(pl.struct(columns).n_unique()).item() if doubles.height else 0
    return Keys(frame.drop(_TRIAL), raw.height, repeated)


def has_key(names: Sequence[str]) -> pl.Expr:
    """Whether a row can be paired."""
    needed = [name for name in names if name != TRIAL] or list(names)
    return pl.all_horizontal(pl.col(KEY + name).is_not_null() for name in needed)


def averaged(rows: pl.LazyFrame, names: Sequence[str], scores: Sequence[str]) -> pl.LazyFrame:
    """A row a key: the mean of what is scored among its repeats, the first of everything else."""
    columns = [KEY + name for name in names]
    others = [n for n in rows.collect_schema() if n not in (*columns, *scores)]
    means = [pl.col(name).fill_nan(None).mean() for name in scores]
    return rows.group_by(columns, maintain_order=True).agg(*means, pl.col(others).first())


def spelled(row: dict[str, Any]) -> str:
    """A key, in words: `task_id 't-1', trial 2`."""
    pairs = ((name.removeprefix(KEY), value) for name, value in row.items())
    return ", ".join(f"{name} {value!r}" for name, value in pairs)


def _doubles(frame: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    """The rows whose key other rows have too. Hashes tell in a fraction of a grouping's time."""
    hashes = frame.select(pl.struct(columns).hash(seed=0)).to_series().to_numpy()
    again = recurring(hashes)
    some = frame[again] if again.size else frame.clear()
    return some.filter(pl.struct(columns).is_duplicated()) if again.size else some


def _require_trials(run: Run, doubles: pl.DataFrame, columns: Sequence[str]) -> None:
    same = doubles.group_by(*columns, _TRIAL, maintain_order=True).len()
    bad = same.filter((pl.col("len") > 1) | pl.col(_TRIAL).is_null())
    bad = bad.group_by(columns, maintain_order=True).agg(pl.col("len").sum())
    if bad.height:
        examples = [
            f"{spelled({name: row[name] for name in columns})} ({row['len']:,} rows)"
            for row in bad.head(SHOWN).to_dicts()
        ]
        raise RepeatedKeysError(run.name, bad.height, examples, run_names(run.scores))
