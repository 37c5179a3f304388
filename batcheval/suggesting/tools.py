"""Candidates from which tools runs call: always, never, only together, and in what order."""

from collections.abc import Iterator

from batcheval.suggesting.candidates import Bar, Candidate, Tried, called, when
from batcheval.suggesting.evidence import Evidence


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
    """Runs that call one have called the other before."""
    pairs, required = evidence.pairs, _required(evidence, bar)
    for b, a in _twos(evidence, bar):
        one, other = pairs.names[a], pairs.names[b]
        check = {"check": "tool_order", "expected_order": [one, other]}
        candidate = Candidate(
            "order", f"{one}_before_{other}", f"{one} before {other}", when(called(other), check)
        )
        follows = any((a, c) in required and (c, b) in required for c in range(len(pairs.names)))
        yield Tried(0 if follows else int(pairs.before[a, b]), int(pairs.both[b, b]), candidate)


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
    """Runs begin, or end, with it."""
    table = evidence.ends()
    runs = int(table["starts"].sum())
    for tool, starts, last in table.select("name", "starts", "ends").rows():
        for place, holds, word in ((0, starts, "first"), (-1, last, "last")):
            spelled = tool.replace("'", "''")
            check = {"check": "sql", "sql": f"tool_calls[{place}].name = '{spelled}'"}
            says = f"the {word} call is {tool}"
            yield Tried(holds, runs, Candidate("order", f"{word}_call_{tool}", says, check))


RULES = (always, never, together, order, ends)
