"""What a page tells of scores beyond a table: intervals, distributions, slices, telling traces."""

from batcheval.findings.changes import Change, look_at_comparison
from batcheval.findings.failures import Group, failures, falls
from batcheval.findings.gates import judged_run
from batcheval.findings.histograms import BINS, histogram
from batcheval.findings.means import mean_of
from batcheval.findings.run import RunFindings, look_at_run
from batcheval.findings.texts import Cases

__all__ = [
    "BINS",
    "Cases",
    "Change",
    "Group",
    "RunFindings",
    "failures",
    "falls",
    "histogram",
    "judged_run",
    "look_at_comparison",
    "look_at_run",
    "mean_of",
]
