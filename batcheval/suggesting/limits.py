"""Candidates from the sizes of runs, from their errors, and from the arguments of tools."""

from collections.abc import Iterator
from typing import Final

from batcheval.suggesting.candidates import Bar, Candidate, Tried, called, when
from batcheval.suggesting.evidence import Evidence
from batcheval.suggesting.schemas import schema_of
from batcheval.suggesting.sizes import MICRO, least_of, most_of

_NEARLY_ALL: Final = 0.99  # the share of good runs that a limit is put around

_HELD: Final = {
    "output": ("length", "char_count", "max", {}, "the output has at most {} characters"),
    "calls": ("length", "max_tool_calls", "max", {}, "the run makes at most {} calls"),
    "calls_of_a_tool": (
        *("length", "max_calls_per_tool", "limits", {}),
        "the run calls no tool more than {} times",
    ),
    "latency": ("time and cost", "latency", "max_ms", {}, "the run takes at most {} ms"),
    "slowest_call": ("time and cost", "tool_duration", "max_ms", {}, "no call takes over {} ms"),
    "cost": ("time and cost", "run_cost", "max", {}, "the run costs at most {} USD"),
    "tokens": ("time and cost", "tokens_used", "max", {}, "the run takes at most {} tokens"),
    "output_tokens": (
        *("time and cost", "tokens_used", "max", {"of": "output"}),
        "the run writes at most {} tokens",
    ),
}


def most(evidence: Evidence, bar: Bar) -> Iterator[Tried]:
    """Nearly all good runs stay within a number of two digits."""
    sizes, calling = evidence.sizes(), evidence.tools().height
    for what, (kind, check, argument, others, says) in _HELD.items():
        limit = most_of(sizes, what, _NEARLY_ALL)
        if limit is None or (what == "calls" and not calling):
            continue
        number = _per_unit(what, limit)
        runs = int(sizes.filter(what=what)["n"].sum())
        table = {"check": check, argument: number, **others}
        candidate = Candidate(kind, f"{what}_at_most", says.format(f"{number:,}"), table)
        yield Tried(runs, runs, candidate)


def _per_unit(what: str, limit: int) -> int | float:
    if what != "cost" or not limit % MICRO:
        return limit // MICRO if what == "cost" else limit
    return limit / MICRO


def least(evidence: Evidence, bar: Bar) -> Iterator[Tried]:
    """Nearly all good runs say something, and so much."""
    sizes = evidence.sizes()
    limit = least_of(sizes, "output", _NEARLY_ALL)
    if limit:
        runs = int(sizes.filter(what="output")["n"].sum())
        says = f"the output has at least {limit:,} characters"
        check = {"check": "char_count", "min": limit}
        yield Tried(runs, runs, Candidate("length", "output_at_least", says, check))


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


RULES = (most, least, errors, arguments)
