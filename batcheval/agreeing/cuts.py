"""The score from which on a check had best pass, by Youden's J, and how sure that is."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from batcheval.agreeing.ranking import Levels
from batcheval.comparing.units import Codes, Floats

_CUTS: Final = 500  # tried in a resample; more are thinned out
_GROUPS: Final = 1_000  # drawn in a resample; more clusters are put together at random
_AT_ONCE: Final = 1 << 21  # draws held in memory

Ints = npt.NDArray[np.int64]


def best_cut(levels: Levels) -> dict[str, Any]:
    """The threshold with the highest J, the share of good rows that pass less that of bad ones.

    Youden 1950, "Index for rating diagnostic tests". A threshold is a score that occurs, but for
    the lowest, which every row reaches; of equally good ones, the highest. None without two scores
    and both kinds of labels.

    Example:
        >>> from batcheval.agreeing.ranking import levels_of
        >>> good = np.array([False, True, False, True])
        >>> best_cut(levels_of(np.array([0.1, 0.4, 0.4, 0.8]), good))
        {'best_threshold': 0.8, 'youden': 0.5}
    """
    goods, bads = levels.good.sum(), levels.bad.sum()
    if levels.scores.size < 2 or not goods or not bads:
        return {"best_threshold": None, "youden": None}
    place = int(_best(levels.good[None, :], levels.bad[None, :])[0])
    youden = levels.good[place:].sum() / goods - levels.bad[place:].sum() / bads
    return {"best_threshold": float(levels.scores[place]), "youden": float(youden)}


def _best(good: Floats, bad: Floats) -> Ints:
    """In each row, the place of the best cut; counts are whole, so that ties are exact."""
    above = [np.cumsum(counts[:, ::-1], axis=1) for counts in (good, bad)]
    totals = [counts[:, -1:] for counts in above]
    # Times all good and all bad rows, J is a whole number. Highest first: argmax takes the first.
    gain = above[0] * totals[1] - above[1] * totals[0]
    return np.asarray(good.shape[1] - 1 - np.argmax(gain[:, :-1], axis=1), dtype=np.int64)


def cut_interval(
    levels: Levels, codes: Codes | None, confidence: float, resamples: int, seed: int
) -> dict[str, Any]:
    """The percentile bootstrap interval of the best threshold, over rows or whole clusters.

    Efron and Tibshirani 1993, "An Introduction to the Bootstrap", chapter 13. Of more than 500
    scores that occur, so many are tried as thresholds; more than 1,000 clusters are put together
    into so many groups at random. Resamples without both kinds of labels are left out.

    Args:
        levels: the scores of good and bad rows.
        codes: the number of each row's cluster, or None if every row stands alone.
        confidence: such as 0.95.
        resamples: how often rows or clusters are drawn; 0 for no interval.
        seed: of the draws.
    """
    none = {"best_threshold_low": None, "best_threshold_high": None}
    best = best_cut(levels)["best_threshold"]
    if not resamples or best is None:
        return none
    if levels.scores.size == 2:  # of passes and fails there is one threshold to draw
        return dict.fromkeys(none, best)
    edges, good, bad = _thinned(levels)
    random = np.random.default_rng(seed)
    if codes is None:
        cells = np.concatenate([good, bad])[None, :]
    else:
        cells = _of_groups(levels, edges, codes, random)
    found = [_drawn(cells, rows, random) for rows in _chunks(resamples, cells)]
    places = np.concatenate(found)
    if not places.size:
        return none
    tails = np.array([(1 - confidence) / 2, (1 + confidence) / 2])
    low, high = np.quantile(edges[places], tails, method="inverted_cdf")
    return {"best_threshold_low": float(low), "best_threshold_high": float(high)}


def _thinned(levels: Levels) -> tuple[Floats, Floats, Floats]:
    """At most 500 thresholds, between which about equally many rows lie, and their counts."""
    if levels.scores.size <= _CUTS:
        return levels.scores, levels.good, levels.bad
    rows = np.cumsum(levels.good + levels.bad)
    starts = np.unique(np.searchsorted(rows, np.linspace(0, rows[-1], _CUTS, endpoint=False)))
    good, bad = (np.add.reduceat(counts, starts) for counts in (levels.good, levels.bad))
    return levels.scores[starts], good, bad


def _of_groups(levels: Levels, edges: Floats, codes: Codes, random: np.random.Generator) -> Floats:
    """The counts of each cluster, or group of clusters: good rows by threshold, then bad ones."""
    clusters = int(codes.max()) + 1
    groups = np.unique(codes, return_inverse=True)[1]
    if clusters > _GROUPS:
        groups = (random.permutation(clusters) % _GROUPS)[codes]
    cell = np.searchsorted(edges, levels.scores, side="right")[levels.place] - 1
    width = 2 * edges.size
    cell += np.where(levels.is_good, 0, edges.size)
    size = int(groups.max()) + 1
    counts = np.bincount(groups * width + cell, minlength=size * width)
    return counts.reshape(size, width).astype(np.float64)


def _chunks(resamples: int, cells: Floats) -> list[int]:
    """The resamples in parts that fit into memory."""
    most = max(1, _AT_ONCE // max(cells.shape))
    return [min(most, resamples - done) for done in range(0, resamples, most)]


def _drawn(cells: Floats, rows: int, random: np.random.Generator) -> Ints:
    """The places of the best cuts of so many resamples: of rows, or of the groups in `cells`."""
    size = cells.shape[0]
    if size == 1:
        total = float(cells.sum())
        counts = random.multinomial(int(total), cells[0] / total, rows).astype(np.float64)
    else:
        counts = random.multinomial(size, np.full(size, 1 / size), rows) @ cells
    good, bad = np.split(counts, 2, axis=1)
    both = (good.sum(axis=1) > 0) & (bad.sum(axis=1) > 0)
    return _best(good[both], bad[both])
