"""BLEU of single texts.

Source: Papineni et al. 2002, for sentences as `sacrebleu` has it: tokens of mteval-v13a, n-grams
of up to 4 tokens, exponential smoothing, only those lengths that the text has (effective order).
"""

from typing import Any, Final

import numpy as np
import polars as pl

from batcheval.checks.resemblance.batches import Measure, Numbers
from batcheval.checks.resemblance.ngrams import Shared, as_lists, ratio, shared
from batcheval.checks.resemblance.overlaps import in_blocks
from batcheval.checks.resemblance.splits import bleu
from batcheval.checks.resemblance.tokens import numbered

_ORDER: Final = 4
_PARTS: Final = ("brevity_penalty", *(f"precision_{n}" for n in range(1, _ORDER + 1)))


def _judge(texts: pl.Series, references: pl.Series) -> Numbers:
    """BLEU of each text, 0..1: brevity penalty times the geometric mean of the precisions."""
    sides, size = numbered([texts, *as_lists(references)], bleu)
    counts = list(shared(sides, size, _ORDER))
    length, wanted = sides[0].sizes, _closest([side.sizes for side in sides], references)
    gap = 1 - wanted * ratio(np.ones(len(length)), length)
    penalty = np.where(length == 0, 0.0, np.exp(np.minimum(gap, 0.0)))
    logs, precisions = _precisions(counts)
    orders = np.maximum(sum(one.left > 0 for one in counts), 1)
    some = sum(one.both for one in counts) > 0
    score = np.where(some, penalty * np.exp(logs / orders), 0.0)
    score[(length == 0) & (wanted == 0)] = 1.0
    return np.column_stack([np.minimum(score, 1.0), penalty, *precisions])


def _precisions(counts: list[Shared]) -> tuple[Numbers, list[Numbers]]:
    """The sum of the logarithms of the smoothed precisions, and these."""
    halving, logs = np.ones(len(counts[0].both)), np.zeros(len(counts[0].both))
    precisions = []
    for one in counts:
        missed = (one.both == 0) & (one.left > 0)
        halving = np.where(missed, 2 * halving, halving)
        share = np.where(missed, ratio(1 / halving, one.left), ratio(one.both, one.left))
        logs += np.log(share, out=np.zeros(len(share)), where=share > 0)
        precisions.append(share)
    return logs, precisions


def _closest(sizes: list[Any], references: pl.Series) -> Any:
    """The length of that reference which is nearest in length, the shorter of two."""
    many = references.list.len().to_numpy()
    best = sizes[1]
    for place, size in enumerate(sizes[2:], 1):
        gaps = np.abs(size - sizes[0]), np.abs(best - sizes[0])
        nearer = (gaps[0] < gaps[1]) | ((gaps[0] == gaps[1]) & (size < best))
        best = np.where(nearer & (many > place), size, best)
    return best


BLEU: Final = Measure("a BLEU score", in_blocks(_judge, 2 + _ORDER), _PARTS, pooled=True)
