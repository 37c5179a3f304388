"""Candidates from which tools runs call: always, never, no others, and only together."""

from collections.abc import Iterator
from typing import Final

from batcheval.suggesting.candidates import Bar, Candidate, Tried, called, when
from batcheval.suggesting.evidence import Evidence

_OFTEN: Final = 2  # good runs that call a tool which others may call too


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


def only(evidence: Evidence, bar: Bar) -> Iterator[Tried]:
    """Runs call no tool but those that several good ones call."""
    good = dict(evidence.tools().select("name", "good").rows())
    if names := sorted(tool for tool, runs in good.items() if runs >= _OFTEN):
        runs = evidence.runs["good"]
        says = f"no tool is called but these {len(names)}"
        check = {"check": "only_tools", "tool_names": names}
        yield Tried(runs, runs, Candidate("tools", "only_known_tools", says, check))


def together(evidence: Evidence, bar: Bar) -> Iterator[Tried]:
    """Runs that call one of several tools call all of them."""
    pairs, names = evidence.pairs, evidence.pairs.names
    implied = _implied(evidence, bar)
    for group in _groups([two for two in implied if two[::-1] in implied]):
        tools = [names[place] for place in sorted(group)]
        anyone = {"check": "any_of", "checks": [called(tool) for tool in tools]}
        check = when(anyone, {"check": "called_together", "tool_names": tools})
        says = f"{', '.join(tools)} are called together or not at all"
        holds = min(int(pairs.both[a, b]) for a in group for b in group)
        most = max(int(pairs.both[a, a]) for a in group)
        yield Tried(holds, most, Candidate("tools", f"{'_'.join(tools)}_together", says, check))


def along_with(evidence: Evidence, bar: Bar) -> Iterator[Tried]:
    """Runs that call one call the other too; what another suggestion says is left out."""
    pairs, implied = evidence.pairs, _implied(evidence, bar)
    for a, b in evidence.pairs.twos(bar.least):
        one, other = pairs.names[a], pairs.names[b]
        says, check = f"runs that call {one} call {other} too", when(called(one), called(other))
        said = (a, b) not in implied or (b, a) in implied or _needs(evidence, bar, b, a)
        holds = 0 if said else int(pairs.both[a, b])
        candidate = Candidate("tools", f"{one}_with_{other}", says, check)
        yield Tried(holds, int(pairs.both[a, a]), candidate)


def _implied(evidence: Evidence, bar: Bar) -> set[tuple[int, int]]:
    """The pairs of which the first comes with the second, which not every run calls."""
    pairs, runs = evidence.pairs, evidence.runs["good"]
    return {
        (a, b)
        for a, b in pairs.twos(bar.least)
        if bar.cleared(int(pairs.both[a, b]), int(pairs.both[a, a]))
        and not bar.cleared(int(pairs.both[b, b]), runs)
    }


def _needs(evidence: Evidence, bar: Bar, first: int, then: int) -> bool:
    """Whether the order says that one tool comes before the other, wherever that is called."""
    pairs = evidence.pairs
    return bar.cleared(int(pairs.before[first, then]), int(pairs.both[then, then]))


def _groups(twos: list[tuple[int, int]]) -> list[set[int]]:
    """The sets that pairs link up."""
    groups: list[set[int]] = []
    for two in twos:
        linked = [group for group in groups if group & set(two)]
        groups = [group for group in groups if group not in linked]
        groups.append(set(two).union(*linked))
    return sorted(groups, key=min)


RULES = (always, never, only, together, along_with)
