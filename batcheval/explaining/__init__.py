"""Why one run was scored so: every score with its reason, the evidence marked."""

from batcheval.explaining.evidence import Span
from batcheval.explaining.explain import explain
from batcheval.explaining.result import Explained, Explanation

__all__ = ["Explained", "Explanation", "Span", "explain"]
