"""Candidates from the sizes of runs, from their errors, and from the arguments of tools."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from batcheval.suggesting.candidates import Bar, Candidate, Tried, called, when
from batcheval.suggesting.evidence import Evidence
from batcheval.suggesting.schemas import schema_of
from batcheval.suggesting.sizes import SIZES, least_of, most_of

_NEARLY_ALL: Final = 0.99  # the share of good runs that a limit is put around

_WORDS: Final = {
    "output": ("length", "output_at_most", "the output has at most {} characters"),
    "calls": ("length", "calls_at_most", "the run makes at most {} calls"),
    "latency_ms": ("time and cost", "latency_at_most", "the run takes at most {} ms"),
    "cost": ("time and cost", "cost_at_most", "the run costs at most {}"),
    "total_tokens": ("time and cost", "tokens_at_most", "the run takes at most {} tokens"),
    "output_tokens": ("time and cost", "output_tokens_at_most", "the run writes at most {} tokens"),
}


def most(evidence: Evidence, bar: Bar) -> Iterator[Tried]:
    """Nearly all good runs stay within a number of two digits."""
    sizes = evidence.sizes()
    for what, (kind, name, says) in _WORDS.items():
        limit = most_of(sizes, what, _NEARLY_ALL)
        if limit is None or (what == "calls" and not evidence.tools().height):
            continue
        number = _number(limit * SIZES[what].unit)
        runs = int(sizes.filter(what=what)["n"].sum())
        candidate = Candidate(kind, name, says.format(f"{number:,}"), _at_most(what, number))
        yield Tried(runs, runs, candidate)


def least(evidence: Evidence, bar: Bar) -> Iterator[Tried]:
    """Nearly all good runs say something, and so much."""
    sizes = evidence.sizes()
    limit = least_of(sizes, "output", _NEARLY_ALL)
    if limit:
        runs = int(sizes.filter(what="output")["n"].sum())
        says = f"the output has at least {limit:,} characters"
        check = {"check": "char_count", "min": limit}
        yield Tried(runs, runs, Candidate("length", "output_at_least", says, check))


def _number(limit: float) -> int | float:
    rounded = float(f"{limit:.3g}")
    return int(rounded) if rounded.is_integer() else rounded


def _at_most(what: str, limit: float) -> Mapping[str, Any]:
    if what == "output":
        return {"check": "char_count", "max": limit}
    if what == "calls":
        return {"check": "max_tool_calls", "max": limit}
    return {"check": "sql", "sql": f"{what} <= {limit}"}


def errors(evidence: Evidence, bar: Bar) -> Iterator[Tried]:
    """No call fails, in good runs."""
    if evidence.tools().height:
        runs = evidence.runs["good"]
        says = "no call fails or is left unfinished"
        candidate = Candidate("errors", "no_tool_errors", says, {"check": "no_tool_errors"})
        yield Tried(runs, runs, candidate)


def arguments(evidence: Evidence, bar: Bar) -> Iterator[Tried]:
    """The arguments of a tool have one shape."""
    for tool, shape in evidence.shapes.items():
        runs = int(evidence.tools().filter(name=tool)["good"].sum())
        schema = schema_of(shape, bar.least)
        if runs < bar.least or not schema:
            continue
        check = {"check": "tool_args", "tool_name": tool, "schema": schema, "calls": "all"}
        says = f"the arguments of {tool} fit a JSON Schema"
        candidate = Candidate("arguments", f"args_of_{tool}", says, when(called(tool), check))
        yield Tried(runs, runs, candidate)


RULES = (most, least, errors)
