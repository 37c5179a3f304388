"""What a comparison of two runs holds."""

from dataclasses import dataclass, field, replace

import polars as pl

from batcheval.comparing.pairs import Side
from batcheval.comparing.rows import Settings
from batcheval.comparing.search import FoundSlices
from batcheval.comparing.slices import without_small


@dataclass(frozen=True)
class Comparison:
    """Two runs, compared.

    Attributes:
        base: what the base is called.
        candidate: what the candidate is called.
        key: the columns by which rows were paired.
        made_by: how they were paired, in words.
        pairs: how many pairs there are.
        cluster: the columns that tell which pairs belong together, or None.
        clusters: how many clusters the pairs fall into, or None.
        base_rows: what became of the rows of the base.
        candidate_rows: what became of those of the candidate.
        only_base: the scorers that the candidate lacks.
        only_candidate: the scorers that the base lacks.
        settings: confidence, resamples and seed.
        scorers: a row a scorer that both have; `compare` tells the columns.
        slices: the same for each value of the columns `by`, with `column` and `value` in front.
        small_slices: by column, how many slices of fewer than `min_slice_size` pairs, scored in
            both runs, `slices` lacks, where that was asked.
        min_slice_size: see there.
        found: what a search for regressions found, where there was one (`find_slices`).
    """

    base: str
    candidate: str
    key: tuple[str, ...]
    made_by: str
    pairs: int
    cluster: tuple[str, ...] | None
    clusters: int | None
    base_rows: Side
    candidate_rows: Side
    only_base: list[str]
    only_candidate: list[str]
    settings: Settings
    scorers: pl.DataFrame = field(repr=False)
    slices: pl.DataFrame = field(repr=False)
    found: FoundSlices | None = None
    small_slices: dict[str, int] = field(default_factory=dict)
    min_slice_size: int = 0

    def without_small_slices(self, least: int) -> "Comparison":
        """The same without those slices of which no scorer has so many pairs."""
        slices, small = without_small(self.slices, pl.col("n"), least)
        return replace(self, slices=slices, small_slices=small, min_slice_size=least)
