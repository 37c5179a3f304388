"""The names of calls against expected names, for all rows of a batch at once."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Indel, Levenshtein
from rapidfuzz.process import cpdist

from batcheval.checks.called.flat import Flat, Ints, Mask
from batcheval.checks.expected_calls.expectations import Calls
from batcheval.checks.orders import followed

_FIRST = 0x10000  # the character of the first name, behind the surrogates


class Names(NamedTuple):
    """The names of a batch as numbers.

    Attributes:
        calls: the calls.
        codes: their names as numbers, -1 for one that no row expects.
        wanted: the expected names of all expectations, end to end.
        starts: where each expectation begins in `wanted`, and behind the last their number.
        places: for each row its expectation.
        known: how many names there are.
    """

    calls: Flat
    codes: Ints
    wanted: Ints
    starts: Ints
    places: Ints
    known: int

    @property
    def sizes(self) -> Ints:
        """How many calls each row expects."""
        return np.diff(self.starts)[self.places]

    def matched(self) -> Ints:
        """How many calls of each row have an expected one of their own: the multisets' meet."""
        kept = self.codes >= 0
        keys, made = np.unique(
            self.calls.rows[kept] * self.known + self.codes[kept], return_counts=True
        )
        rows, names = np.divmod(keys, max(self.known, 1))
        of = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        asked, most = np.unique(of * self.known + self.wanted, return_counts=True)
        sought = self.places[rows] * self.known + names
        place = np.minimum(np.searchsorted(asked, sought), max(len(asked) - 1, 0))
        if not len(asked):
            return np.zeros(self.calls.height, np.int64)
        met = np.where(asked[place] == sought, np.minimum(made, most[place]), 0)
        return np.bincount(rows, met, minlength=self.calls.height).astype(np.int64)

    def exact(self) -> Mask:
        """Whether the names of each row are those expected, place by place."""
        made, rows = self.calls.counts(), self.calls.rows
        alike = made == self.sizes
        place = np.arange(rows.size) - self.calls.starts()[rows] + self.starts[self.places[rows]]
        last = max(len(self.wanted) - 1, 0)
        there = self.wanted[np.minimum(place, last)] if len(self.wanted) else self.codes * 0 - 2
        met = self.calls.counts(alike[rows] & (there == self.codes))
        mask: Mask = alike & (met == made)
        return mask

    def in_order(self) -> Mask:
        """Whether each row has the expected names in their order."""
        kept = self.codes >= 0
        counts = self.calls.counts(kept)
        return followed(self.codes[kept], counts, self.wanted, self.starts[self.places], self.sizes)

    def similarity(self, by_edits: bool) -> np.ndarray:
        """How alike the sequences of each row are, 0 to 1."""
        texts = _text(self.codes + 1), _text(self.wanted + 1)
        made = [texts[0][a:b] for a, b in pairwise(self.calls.starts().tolist())]
        asked = [texts[1][a:b] for a, b in pairwise(self.starts.tolist())]
        pairs = [*zip(made, self.places.tolist(), strict=True)]
        distinct = [*dict.fromkeys(pairs)]  # equal runs are judged once
        way = Levenshtein if by_edits else Indel
        alike = cpdist(
            [run for run, _ in distinct],
            [asked[place] for _, place in distinct],
            scorer=way.normalized_similarity,
            dtype=np.float64,
        )
        found = dict(zip(distinct, alike.ravel().tolist(), strict=True))
        return np.fromiter(map(found.__getitem__, pairs), np.float64, len(pairs))


def names_of(calls: Flat, expected: list[Calls], places: Ints) -> Names:
    """The names of a batch against what is expected.

    Args:
        calls: of all rows.
        expected: the expectations there are, by name alone.
        places: which of them each row has.
    """
    known = list(dict.fromkeys(call.name for asked in expected for call in asked))
    number = {name: place for place, name in enumerate(known)}
    wanted = np.array([number[call.name] for asked in expected for call in asked], np.int64)
    starts = np.concatenate(([0], np.cumsum([len(asked) for asked in expected], dtype=np.int64)))
    return Names(calls, calls.codes(known), wanted, starts, places, len(known))


def _text(codes: Ints) -> str:
    return (codes + _FIRST).astype("<u4").tobytes().decode("utf-32-le")
