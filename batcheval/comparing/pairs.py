"""Pairs: what the rows of two runs with one key come to, each in one pair at most."""

from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from batcheval.comparing.keys import Key
from batcheval.errors import quoted

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
