"""What is known of the agreement of scores with labels."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

import polars as pl

from batcheval.comparing.rows import settings_of
from batcheval.errors import BadArgumentError

_SHARES: Final = ("agreement", "kappa", "precision", "recall", "f1", "auroc", "best_threshold")

SCORERS: Final = pl.Schema(
    {
        "scorer": pl.String(),
        "n": pl.Int64(),
        "unscored": pl.Int64(),
        "clusters": pl.Int64(),
        **dict.fromkeys(("tp", "fp", "fn", "tn"), pl.Int64()),
        **{name + end: pl.Float64() for name in _SHARES for end in ("", "_low", "_high")},
        "youden": pl.Float64(),
        "scored": pl.Int64(),
        "passing": pl.Int64(),
        "constant": pl.String(),
    }
)


class Settings(NamedTuple):
    """How scores are judged, and how intervals are made; `agree` tells more."""

    threshold: float
    confidence: float
    resamples: int
    seed: int

    def require_sense(self) -> None:
        """Raise `BadArgumentError` unless all can be meant."""
        if not 0 < self.threshold <= 1:
            raise BadArgumentError("threshold", "a score above 0, at most 1", self.threshold)
        settings_of(self.confidence, self.resamples, self.seed)


@dataclass(frozen=True)
class Agreement:
    """Scores, held against what people said.

    Attributes:
        run: what the run is called.
        label: the column or path of the labels.
        home: where the labels were found, in words.
        meaning: which labels are good ones and which bad, in words.
        rows: how many rows there are.
        good: how many are labelled good.
        bad: how many are labelled bad; all others have no label.
        unmatched: how many rows have no trace among those that were read for their labels.
        cluster: the column that tells which rows do not vary independently, or None.
        settings: threshold, confidence, resamples and seed.
        scorers: a row a scorer; `agree` tells the columns.
        pairs: a row for each pair of scorers that say the same.
    """

    run: str
    label: str
    home: str
    meaning: str
    rows: int
    good: int
    bad: int
    unmatched: int
    cluster: str | None
    settings: Settings
    scorers: pl.DataFrame = field(repr=False)
    pairs: pl.DataFrame = field(repr=False)
