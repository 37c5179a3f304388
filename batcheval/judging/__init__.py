"""Gates of a suite, held against what a run, or a comparison with a base, came to."""

from batcheval.judging.asked import RegressionBy
from batcheval.judging.gates import judge, judge_regressions
from batcheval.judging.outcome import Judged, Judgement, Outcome, together

__all__ = [
    "Judged",
    "Judgement",
    "Outcome",
    "RegressionBy",
    "judge",
    "judge_regressions",
    "together",
]
