"""How scores spread over 0..1."""

from typing import Final

import numpy as np

from batcheval.comparing.units import Floats

BINS: Final = 20  # of equal width; the last holds 1.0 too


def histogram(scores: Floats) -> list[int]:
    """How many scores lie in each bin; NaN in none, what is outside 0..1 in the bin at that end.

    Example:
        >>> histogram(np.array([0.0, 0.04, 0.05, 1.0, np.nan]))[:3]
        [2, 1, 0]
    """
    known = scores[~np.isnan(scores)].clip(0.0, 1.0)
    places = np.minimum((known * BINS).astype(np.intp), BINS - 1)
    return [int(count) for count in np.bincount(places, minlength=BINS)]
