"""Offline batch evaluation of recorded agent runs.

from batcheval import checks, read_traces, score

traces = read_traces("traces.jsonl")
scores = score(traces, [checks.includes("sunny"), checks.no_tool_errors()]).collect()
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from batcheval import checks
    from batcheval.agreeing import Agreement, agree
    from batcheval.comparing import Comparison, compare, compare_many
    from batcheval.engine import score
    from batcheval.errors import BatchevalError
    from batcheval.judging import judge
    from batcheval.parts import Parts, plan_parts, score_parts
    from batcheval.profiling import profile
    from batcheval.readers import ReadLog, Rules, read_traces
    from batcheval.schema import canonical
    from batcheval.scorer import Scorer, Verdict, batched, check, passed
    from batcheval.selection import sample, where
    from batcheval.suggesting import Suggestions, suggest
    from batcheval.suite import Suite, load_suite
    from batcheval.summary import summarize
    from batcheval.trials import Reliability, reliability
    from batcheval.writing import Converted, Written, write_scores, write_traces

__version__ = "0.1.0"

__all__ = [
    "Agreement",
    "BatchevalError",
    "Comparison",
    "Converted",
    "Parts",
    "ReadLog",
    "Reliability",
    "Rules",
    "Scorer",
    "Suggestions",
    "Suite",
    "Verdict",
    "Written",
    "agree",
    "batched",
    "canonical",
    "check",
    "checks",
    "compare",
    "compare_many",
    "judge",
    "load_suite",
    "passed",
    "plan_parts",
    "profile",
    "read_traces",
    "reliability",
    "sample",
    "score",
    "score_parts",
    "suggest",
    "summarize",
    "where",
    "write_scores",
    "write_traces",
]

_HOMES = {
    "Agreement": "agreeing",
    "BatchevalError": "errors",
    "Comparison": "comparing",
    "Converted": "writing",
    "Parts": "parts",
    "ReadLog": "readers",
    "Reliability": "trials",
    "Rules": "readers",
    "Scorer": "scorer",
    "Suggestions": "suggesting",
    "Suite": "suite",
    "Verdict": "scorer",
    "Written": "writing",
    "agree": "agreeing",
    "batched": "scorer",
    "canonical": "schema",
    "check": "scorer",
    "compare": "comparing",
    "compare_many": "comparing",
    "judge": "judging",
    "load_suite": "suite",
    "passed": "scorer",
    "plan_parts": "parts",
    "profile": "profiling",
    "read_traces": "readers",
    "reliability": "trials",
    "sample": "selection",
    "score": "engine",
    "suggest": "suggesting",
    "score_parts": "parts",
    "summarize": "summary",
    "where": "selection",
    "write_scores": "writing",
    "write_traces": "writing",
}


def __getattr__(name: str) -> object:
    """Import late: a command that needs no polars starts without it."""
    if name == "checks":
        return import_module("batcheval.checks")
    if name not in _HOMES:
        raise AttributeError(f"module 'batcheval' has no attribute '{name}'")
    return getattr(import_module(f"batcheval.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
