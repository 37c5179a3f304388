"""Candidates from which tools runs call: always, never, only together, and in what order."""

from collections.abc import Iterator

import polars as pl

from batcheval.suggesting.candidates import Bar, Candidate, Tried, along, called, when
from batcheval.suggesting.evidence import Evidence
from batcheval.suggesting.ways import name_in_path


def always(evidence: Evidence, bar: Bar) -> Iterator[Tried]:
    """Every run calls it."""
    runs = evidence.runs["good"]
    for tool, good in evidence.tools().select("name", "good").rows():
        says = f"every run calls {tool}"
        yield Tried(good, runs, Candidate("tools", f"calls_{tool}", says, called(tool)))


def never(evidence: Evidence, bar: Bar) -> Iterator[Tried]:
    """No good run calls it, though bad ones do, or though it is offered and nobody does."""
    runs, tools = evidence.runs["good"], evidence.tools()
    met = dict(tools.select("name", "good").rows())
    unused = sorted(evidence.offered - met.keys())
    for tool, good in [*met.items(), *((tool, 0) for tool in unused)]:
        why = "offered, and never called" if tool in unused else "no good run calls it"
        check = {"check": "did_not_call", "tool_name": tool}
        says = f"no run calls {tool} ({why})"
        candidate = Candidate("tools", f"never_calls_{tool}", says, check, tool in met)
        yield Tried(0 if good else runs, runs, candidate)


def together(evidence: Evidence, bar: Bar) -> Iterator[Tried]:
    """Runs that call one call the other too."""
    pairs, required, runs = evidence.pairs, _required(evidence, bar), evidence.runs["good"]
    usual = [bar.cleared(int(pairs.both[place, place]), runs) for place in range(len(pairs.names))]
    for a, b in _twos(evidence, bar):
        if not usual[b]:
            one, other = pairs.names[a], pairs.names[b]
            says, check = f"runs that call {one} call {other} too", when(called(one), called(other))
            holds = 0 if (b, a) in required else int(pairs.both[a, b])  # said by the order
            candidate = Candidate("tools", f"{one}_with_{other}", says, check)
            yield Tried(holds, int(pairs.both[a, a]), candidate)


def order(evidence: Evidence, bar: Bar) -> Iterator[Tried]:
    """Runs that call one have called the other before; what follows from more is left out."""
    pairs, required = evidence.pairs, _required(evidence, bar)
    ends = evidence.ends()
    begun = _begun(ends)
    first = {tool for tool, n in ends.select("name", "starts").rows() if bar.cleared(n, begun)}
    for b, a in _twos(evidence, bar):
        one, other = pairs.names[a], pairs.names[b]
        check = {"check": "tool_order", "expected_order": [one, other]}
        candidate = Candidate(
            "order", f"{one}_before_{other}", f"{one} before {other}", when(called(other), check)
        )
        follows = any((a, c) in required and (c, b) in required for c in range(len(pairs.names)))
        holds = 0 if follows or one in first else int(pairs.before[a, b])
        yield Tried(holds, int(pairs.both[b, b]), candidate)


def _begun(ends: pl.DataFrame) -> int:
    """How many runs call anything."""
    return int(ends["starts"].sum())


def _twos(evidence: Evidence, bar: Bar) -> Iterator[tuple[int, int]]:
    """All pairs of tools of which enough runs call the first."""
    many = range(len(evidence.pairs.names))
    known = [place for place in many if evidence.pairs.both[place, place] >= bar.least]
    return ((a, b) for a in known for b in many if a != b)


def _required(evidence: Evidence, bar: Bar) -> set[tuple[int, int]]:
    """The pairs of which the first comes before the second, wherever that is called."""
    pairs = evidence.pairs
    many = range(len(pairs.names))
    return {
        (a, b)
        for a in many
        for b in many
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


def path(evidence: Evidence, bar: Bar) -> Iterator[Tried]:
    """Runs take one of a few ways along their tools."""
    found = evidence.path()
    if found is not None:
        path, holds, ways = found
        says = f"the calls go one of {ways} ways" if ways > 1 else f"the calls go {path}"
        candidate = Candidate("order", "path", says, along(path))
        yield Tried(holds, evidence.runs["good"], candidate)


RULES = (always, never, together, order, ends, path)
