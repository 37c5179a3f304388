"""Runs of scores, paired and compared: differences, intervals, tests, a verdict a scorer."""

from batcheval.comparing.many import compare_many
from batcheval.comparing.one import compare
from batcheval.comparing.pairs import Pairs, Side, pair
from batcheval.comparing.result import Comparison
from batcheval.comparing.rows import Settings
from batcheval.comparing.runs import Run, Source, open_run
from batcheval.comparing.tables import BETTER, TOO_FEW, UNSHOWN, WORSE

__all__ = [
    "BETTER",
    "TOO_FEW",
    "UNSHOWN",
    "WORSE",
    "Comparison",
    "Pairs",
    "Run",
    "Settings",
    "Side",
    "Source",
    "compare",
    "compare_many",
    "open_run",
    "pair",
]
