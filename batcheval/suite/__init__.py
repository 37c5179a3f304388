"""A suite file, or checks typed as calls, as scorers; and what a run must reach, as gates."""

from batcheval.suite.binding import make_scorer
from batcheval.suite.call_text import Call, parse_call
from batcheval.suite.calls import scorer_from_call, scorers_from_calls
from batcheval.suite.gates import Gate, slicing_columns
from batcheval.suite.load import Draft, Suite, gates_of, load_suite, read_suite

__all__ = [
    "Call",
    "Draft",
    "Gate",
    "Suite",
    "gates_of",
    "load_suite",
    "make_scorer",
    "parse_call",
    "read_suite",
    "scorer_from_call",
    "scorers_from_calls",
    "slicing_columns",
]
