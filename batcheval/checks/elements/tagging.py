"""Which words are taken for verbs: four ways that a word may go, by the sum of its features.

The weights were fitted to what `compromise` 14.17.0 makes of English texts; see `data/README.md`.
"""

from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from batcheval.checks.elements.contexts import SLOT_BITS, WordKeys, slots
from batcheval.checks.elements.tokens import Tokens

# The ways: a word stays, becomes its infinitive, is dropped, or stays beside its infinitive.
# Words of the special list have their own outcomes for the four.
STAYS, CHANGES, GOES, BOTH = range(4)
LANE_BITS: Final = 16  # four sums side by side in one number
ZERO: Final = 1 << 10  # what a weight of 0 is stored as; with 31 features no sum overflows


def ways(tokens: Tokens, keys: WordKeys, varies: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The way of each word; those that do not vary stay.

    Args:
        tokens: the words of all rows.
        keys: the numbers of the distinct words in features.
        varies: which of the distinct words may be changed at all.
    """
    at = np.flatnonzero(varies[tokens.words])
    sums, table = np.zeros(len(at), np.uint64), _weights()
    for slot in slots(tokens, keys, at):
        sums += table.take(slot)
    result = np.zeros(len(tokens.words), np.uint8)
    result[at] = sums.view(np.uint16).reshape(-1, 4).argmax(axis=1)
    return result


@cache
def _weights() -> NDArray[Any]:
    """By slot four weights, the first in the lowest bits."""
    data = pl.read_parquet(files(__package__).joinpath("data/weights.parquet").read_bytes())
    lanes = np.full((1 << SLOT_BITS, 4), ZERO, "<u2")
    lanes[data["slot"].to_numpy()] += (
        data.select("stays", "changes", "goes", "both").to_numpy().astype("<u2")
    )
    return lanes.view("<u8").ravel()
