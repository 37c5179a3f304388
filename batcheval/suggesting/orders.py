"""Candidates from the order of calls: what comes before what, first and last, whole paths."""

from collections.abc import Iterator

import polars as pl

from batcheval.suggesting.candidates import Bar, Candidate, Tried, along, called, when
from batcheval.suggesting.evidence import Evidence
from batcheval.suggesting.ways import name_in_path


def before(evidence: Evidence, bar: Bar) -> Iterator[Tried]:
    """Runs that call one have called the other before; what follows from more is left out."""
    pairs, required = evidence.pairs, _required(evidence, bar)
    first = _usual_first(evidence.ends(), bar)
    many = range(len(pairs.names))
    for b, a in pairs.twos(bar.least):
        one, other = pairs.names[a], pairs.names[b]
        check = {"check": "required_before", "first": one, "then": other}
        name, says = f"{one}_before_{other}", f"{other} needs {one} before it"
        candidate = Candidate("order", name, says, when(called(other), check))
        follows = any((a, c) in required and (c, b) in required for c in many)
        holds = 0 if follows or one in first else int(pairs.before[a, b])
        yield Tried(holds, int(pairs.both[b, b]), candidate)


def _required(evidence: Evidence, bar: Bar) -> set[tuple[int, int]]:
    """The pairs of which the first comes before the second, wherever that is called."""
    pairs = evidence.pairs
    return {
        (a, b)
        for b, a in pairs.twos(bar.least)
        if bar.cleared(int(pairs.before[a, b]), int(pairs.both[b, b]))
    }


def ends(evidence: Evidence, bar: Bar) -> Iterator[Tried]:
    """Runs begin, or end, with it, if they call anything."""
    table = evidence.ends()
    runs = _begun(table)
    for tool, starts, last in table.select("name", "starts", "ends").rows():
        if (name := name_in_path(tool)) is not None:
            yield Tried(starts, runs, _end(tool, "first", f"({name} .*)?"))
            yield Tried(last, runs, _end(tool, "last", f"(.* {name})?"))


def _end(tool: str, place: str, path: str) -> Candidate:
    says = f"the {place} call, if any, is {tool}"
    return Candidate("order", f"{place}_call_{tool}", says, along(path))


def _usual_first(table: pl.DataFrame, bar: Bar) -> set[str]:
    """The tool with which nearly all runs begin, if there is one."""
    begun = _begun(table)
    return {tool for tool, n in table.select("name", "starts").rows() if bar.cleared(n, begun)}


def _begun(table: pl.DataFrame) -> int:
    """How many runs call anything."""
    return int(table["starts"].sum())


def path(evidence: Evidence, bar: Bar) -> Iterator[Tried]:
    """Runs take one of a few ways along their tools."""
    found = evidence.path()
    if found is not None:
        path, holds, ways = found
        says = f"the calls go one of {ways} ways" if ways > 1 else f"the calls go {path}"
        candidate = Candidate("order", "path", says, along(path))
        yield Tried(holds, evidence.runs["good"], candidate)


RULES = (before, ends, path)
