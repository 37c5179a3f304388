"""All slices tested, each set of pairs once."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import polars as pl

from batcheval.comparing.many_slices import Grouping, p_values
from batcheval.comparing.pairs import BASE, CANDIDATE
from batcheval.comparing.regions import Column, Region, Terms, regions
from batcheval.comparing.units import Codes, Floats, as_floats, sample_of

MOST_SLICES: Final = 10_000

_TESTS: Final = {
    "slice": pl.Int64(),
    "scorer": pl.String(),
    "n": pl.Int64(),
    "difference": pl.Float64(),
    "rest": pl.Float64(),
    "test": pl.String(),
    "p": pl.Float64(),
}


class Search(NamedTuple):
    """What was searched, and what every test came to.

    Attributes:
        tests: a row a slice and scorer: `slice` (its number), `scorer`, `n`, `difference`, `rest`
            (the difference in all other pairs), `test` and `p`, which may be null.
        numbers_of: the number of each slice, by its terms; -1 is all pairs.
        terms: of each slice.
        same: the other slices with the pairs of a slice, by its number.
        folded: how many slices are such others, or hold all pairs.
        cut: whether there were more slices.
    """

    tests: pl.DataFrame
    numbers_of: dict[Terms, int]
    terms: list[Terms]
    same: dict[int, list[Terms]]
    folded: int
    cut: bool


def searched(
    frame: pl.DataFrame,
    columns: Sequence[Column],
    scorers: Sequence[str],
    clusters: Codes | None,
    min_size: int,
) -> Search:
    """Test every slice of one column and of two for every scorer; `p_values` tells the tests."""
    samples = {scorer: _differences(frame, scorer) for scorer in scorers}
    seen = _Seen(frame.height)
    parts = []
    for region in regions(columns, min_size):
        grouping = Grouping(region.rows, region.codes, clusters)
        numbers = seen.take(region, grouping)
        for scorer, (differences, pass_fail) in samples.items():
            sums = grouping.sums(differences)
            p, test = p_values(sums, pass_fail, clusters is not None)
            whole = np.isfinite(differences)
            others = whole.sum() - sums.n
            with np.errstate(divide="ignore", invalid="ignore"):
                rest = (differences[whole].sum() - sums.total) / others
                part = {"difference": sums.total / sums.n, "rest": rest, "p": p}
            table = pl.DataFrame({"slice": numbers, "n": sums.n, **part}, nan_to_null=True)
            table = table.filter((pl.col("slice") >= 0) & (pl.col("n") >= min_size))
            parts.append(table.with_columns(scorer=pl.lit(scorer), test=pl.lit(test)))
        if seen.cut:
            break
    tables = [part.select(pl.col(name).cast(t) for name, t in _TESTS.items()) for part in parts]
    tests = pl.concat([pl.DataFrame(schema=_TESTS), *tables])
    return Search(tests, seen.numbers_of, seen.terms, seen.same, seen.folded, seen.cut)


class _Seen:
    """The different slices so far, told by how many pairs they have and two sums of random marks.

    Two slices with other pairs are taken for the same with a likelihood of about 1e-18 for 1,000
    pairs, and 1e-12 for a million.
    """

    def __init__(self, pairs: int) -> None:
        bits = 52 - max(pairs, 1).bit_length()  # so that sums are exact
        random = np.random.default_rng(0)
        self._marks = [random.integers(0, 1 << bits, pairs).astype(np.float64) for _ in "ab"]
        self._known = {(pairs, *(mark.sum() for mark in self._marks)): -1}
        self.numbers_of: dict[Terms, int] = {}
        self.terms: list[Terms] = []
        self.same: dict[int, list[Terms]] = {}
        self.folded, self.cut = 0, False

    def take(self, region: Region, grouping: Grouping) -> Codes:
        """The number of each slice, -1 for those not to be tested: known ones, all pairs."""
        sums = [grouping.signatures(marks).tolist() for marks in self._marks]
        keys = zip(grouping.sizes().tolist(), *sums, strict=True)
        return np.array(list(map(self._number, region.terms, keys)), dtype=np.intp)

    def _number(self, terms: Terms, key: tuple[float, ...]) -> int:
        known = self._known.get(key)
        if known is not None:
            self.folded += 1
            self.numbers_of[terms] = known
            self.same.setdefault(known, []).append(terms)
            return -1
        if len(self.terms) >= MOST_SLICES:
            self.cut = True
            return -1
        self._known[key] = self.numbers_of[terms] = number = len(self.terms)
        self.terms.append(terms)
        return number


def _differences(frame: pl.DataFrame, scorer: str) -> tuple[Floats, bool]:
    """The difference of each pair, NaN where one is unscored; and whether all pass or fail."""
    base, candidate = (as_floats(frame[side + scorer]) for side in (BASE, CANDIDATE))
    scored = np.isfinite(base) & np.isfinite(candidate)
    sample = sample_of(base, candidate, None)
    differences = np.full(base.size, np.nan)
    differences[scored] = sample.differences
    return differences, sample.pass_fail
