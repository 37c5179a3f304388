"""Measures of how many words, n-grams or characters two texts share.

Sources: SQuAD (Rajpurkar 2016), HELM, chrF (Popović 2015).
"""

from collections.abc import Callable
from typing import Final

import numpy as np
import polars as pl

from batcheval.checks.resemblance.batches import Measure, Numbers
from batcheval.checks.resemblance.letters import characters
from batcheval.checks.resemblance.ngrams import Shared, ratio, shared
from batcheval.checks.resemblance.splits import answer, squad
from batcheval.checks.resemblance.tokens import Ints, Tokens, numbered
from batcheval.checks.words import blocks

BLOCK_BYTES: Final = 1 << 21  # judged at once: spreads the overhead of numpy's calls
PARTS: Final = ("precision", "recall")
_CHAR_ORDER, _BETA = 6, 2


def in_blocks(
    judge: Callable[[pl.Series, pl.Series], Numbers], width: int
) -> Callable[..., Numbers]:
    """A judge of as many texts as fit into the cache, for any number of them."""

    def whole(texts: pl.Series, others: pl.Series) -> Numbers:
        found = np.empty((len(texts), width))
        flat = others.list.join("") if isinstance(others.dtype, pl.List) else others
        for cut in blocks(BLOCK_BYTES, texts, flat):
            found[cut] = judge(texts[cut], others[cut])
        return found

    return whole


def f_measure(counts: Shared, equal: Numbers | None = None) -> Numbers:
    """F1, precision and recall; where neither side has anything to count, whether it is equal."""
    precision, recall = ratio(counts.both, counts.left), ratio(counts.both, counts.right)
    score = ratio(2 * precision * recall, precision + recall)
    numbers = np.column_stack([score, precision, recall])
    if equal is not None:
        nothing = (counts.left == 0) & (counts.right == 0)
        numbers[nothing] = equal[nothing, None]
    return numbers


def _token_f1(texts: pl.Series, others: pl.Series) -> Numbers:
    sides, size = numbered([texts, others], squad)
    (counts,) = shared(sides, size, 1)
    return f_measure(counts, np.ones(len(texts)))


def _quasi_exact(texts: pl.Series, others: pl.Series) -> Numbers:
    sides, _ = numbered([texts, others], answer)
    return same(*sides)[:, None]


def same(left: Tokens, right: Tokens) -> Numbers:
    """1.0 where two texts have the same tokens."""
    differ = left.sizes != right.sizes
    rows = np.flatnonzero(~differ)
    places = [_places(side, rows) for side in (left, right)]
    unequal = left.ids[places[0]] != right.ids[places[1]]
    differ[np.repeat(rows, left.sizes[rows])[unequal]] = True
    equal: Numbers = (~differ).astype(np.float64)
    return equal


def _places(side: Tokens, rows: Ints) -> Ints:
    """Where the tokens of some of the texts stand."""
    sizes = side.sizes[rows]
    skipped = np.repeat(side.bounds[rows] - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
    places: Ints = np.arange(sizes.sum()) + skipped
    return places


def _chrf(texts: pl.Series, others: pl.Series) -> Numbers:
    sides, size = characters([texts, others])
    precision, recall, orders = (np.zeros(len(texts)) for _ in range(3))
    for counts in shared(sides, size, _CHAR_ORDER):
        counted = (counts.left > 0) & (counts.right > 0)
        precision += np.where(counted, ratio(counts.both, counts.left), 0)
        recall += np.where(counted, ratio(counts.both, counts.right), 0)
        orders += counted
    precision, recall = ratio(precision, orders), ratio(recall, orders)
    weight = _BETA**2
    score = ratio((1 + weight) * precision * recall, weight * precision + recall)
    numbers = np.column_stack([score, precision, recall])
    numbers[(sides[0].sizes == 0) & (sides[1].sizes == 0)] = 1.0
    return numbers


QUASI_EXACT: Final = Measure("a quasi-exact match score", in_blocks(_quasi_exact, 1))
TOKEN_F1: Final = Measure("a token F1", in_blocks(_token_f1, 3), PARTS)
CHRF: Final = Measure("a chrF score", in_blocks(_chrf, 3), PARTS)
