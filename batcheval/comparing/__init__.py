"""Runs of scores, paired and compared: differences, intervals, tests, a verdict a scorer."""

from batcheval.comparing.evidence import TOOL
from batcheval.comparing.kinds import are_scores, open_regressions
from batcheval.comparing.many import compare_many
from batcheval.comparing.one import compare
from batcheval.comparing.pairing import pair
from batcheval.comparing.pairs import Pairs, Side
from batcheval.comparing.regressions import Regressions, regressions, write_regressions
from batcheval.comparing.result import Comparison
from batcheval.comparing.rows import Settings
from batcheval.comparing.runs import Run, Source, open_run, split
from batcheval.comparing.search import MIN_SIZE, FoundSlices, find_slices
from batcheval.comparing.slicing_columns import KEPT
from batcheval.comparing.sources import looked_up, sources_of
from batcheval.comparing.tables import BETTER, TOO_FEW, UNSHOWN, WORSE

__all__ = [
    "BETTER",
    "KEPT",
    "MIN_SIZE",
    "TOOL",
    "TOO_FEW",
    "UNSHOWN",
    "WORSE",
    "Comparison",
    "FoundSlices",
    "Pairs",
    "Regressions",
    "Run",
    "Settings",
    "Side",
    "Source",
    "are_scores",
    "compare",
    "compare_many",
    "find_slices",
    "looked_up",
    "open_regressions",
    "open_run",
    "pair",
    "regressions",
    "sources_of",
    "split",
    "write_regressions",
]
