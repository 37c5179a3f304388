"""Scores against human labels: do the checks agree with people?"""

from batcheval.agreeing.measure import agree
from batcheval.agreeing.result import Agreement
from batcheval.agreeing.twins import NEAR

__all__ = ["NEAR", "Agreement", "agree"]
