"""The calls of all rows walked along a path at once, a call of each row at a time."""

from typing import Final, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from batcheval.checks.paths.automaton import Automaton

Ints = NDArray[np.int64]

_UNKNOWN: Final = -2
_LOST: Final = -1


class Walked(NamedTuple):
    """How far rows kept to a path.

    Attributes:
        kept: how many calls, from the first on, begin a way along the path.
        arrived: whether the calls are such a way as a whole.
    """

    kept: Ints
    arrived: NDArray[np.bool_]


def walked(called: pl.Series, path: Automaton) -> Walked:
    """Walk along a path.

    Args:
        called: lists of names.
        path: what they are to be.
    """
    lengths = called.list.len().fill_null(0).cast(pl.Int64).to_numpy()
    symbols = _symbols(called.explode(empty_as_null=False, keep_nulls=False), path)
    first = np.cumsum(lengths) - lengths
    states, step = _States(path), 0
    at, kept = np.zeros(len(lengths), np.int64), np.zeros(len(lengths), np.int64)
    rows = np.flatnonzero(lengths)
    while rows.size:
        at[rows] = states.next(at[rows], symbols[first[rows] + step])
        kept[rows] += at[rows] != _LOST
        step += 1
        rows = rows[(at[rows] != _LOST) & (lengths[rows] > step)]
    return Walked(kept, states.may_end()[at])


def _symbols(names: pl.Series, path: Automaton) -> Ints:
    """Names as places among those of the path; behind these is any other."""
    known = pl.Enum(pl.Series(path.names, dtype=pl.String))
    codes = names.cast(known, strict=False).to_physical().cast(pl.Int64)
    return codes.fill_null(len(path.names)).to_numpy()


class _States:
    """The states that rows have come to: made when met, since most of those there are never are."""

    def __init__(self, path: Automaton) -> None:
        self._path = path
        self._sets, self._after = [0], [path.first]
        self._numbers: dict[int, int] = {}
        self._table = np.full((16, len(path.names) + 1), _UNKNOWN, np.int64)

    def next(self, at: Ints, symbols: Ints) -> Ints:
        """The states after one more call."""
        found: Ints = self._table[at, symbols]
        if (unknown := found == _UNKNOWN).any():
            width = self._table.shape[1]
            for pair in np.unique(at[unknown] * width + symbols[unknown]).tolist():
                self._learn(*divmod(pair, width))
            found = self._table[at, symbols]
        return found

    def may_end(self) -> NDArray[np.bool_]:
        """By state whether the path may end there; not where a run is lost, which is the last."""
        path = self._path
        return np.array([path.empty, *(bool(s & path.last) for s in self._sets[1:]), False])

    def _learn(self, state: int, symbol: int) -> None:
        reached = self._after[state] & self._path.allowed[symbol]
        if reached and reached not in self._numbers:
            self._numbers[reached] = len(self._sets)
            self._sets.append(reached)
            self._after.append(self._path.after(reached))
            if len(self._sets) > len(self._table):
                more = np.full_like(self._table, _UNKNOWN)
                self._table = np.concatenate([self._table, more])
        self._table[state, symbol] = self._numbers[reached] if reached else _LOST
