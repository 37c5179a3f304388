"""All that is found in a suite, with or without traces, and what its scorers cost."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl

from batcheval.costing import Cost, made_up, measure, measure_together, way_of
from batcheval.linting.calls import call_of
from batcheval.linting.columns import Readers, empty, missing, unknown
from batcheval.linting.finding import SEVERITIES, Finding, gate, scorer
from batcheval.linting.gates import gates
from batcheval.linting.literals import literals
from batcheval.linting.pairs import alone, pairs
from batcheval.linting.scored import alike, scored, shown
from batcheval.schema import CANONICAL, Frame, canonical
from batcheval.scorer import Scorer, roots
from batcheval.suite import Draft

_ENOUGH: Final = 10  # traces that can show something


@dataclass(frozen=True)
class Lint:
    """What was found.

    Attributes:
        name: of the suite.
        traces: how many it was tried on; None where there were none but made-up ones.
        findings: errors first.
        costs: of each scorer that can be applied.
        together: of all these in one pass; None where there are none.
    """

    name: str
    traces: int | None
    findings: list[Finding]
    costs: list[Cost]
    together: Cost | None

    @property
    def has_errors(self) -> bool:
        """Whether the suite has to be mended before it can be used."""
        return any(one.severity == "error" for one in self.findings)


def lint(draft: Draft, traces: Frame | None = None, *, costs: bool = True) -> Lint:
    r"""Look for mistakes in a suite, and for what can hardly be meant; nothing is written.

    Args:
        draft: the suite, as `read_suite` gives it.
        traces: a sample on which to try it, as for `score`; some thousands do. Without it the
            costs are measured on made-up traces.
        costs: whether to measure.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from batcheval.suite import read_suite
        >>> path = Path(tempfile.mkdtemp(), "brief.toml")
        >>> _ = path.write_text("[scorers.brief]\ncheck = 'word_count'\nmin = 0\n")
        >>> [tuple(found) for found in lint(read_suite(path)).findings]
        [('warning', "scorer 'brief'", 'cannot fail: word_count(min=0) always holds')]
    """
    scorers, readers = draft.suite.scorers, _readers(draft)
    findings = [*_mistakes(draft), *_reasoned(draft, traces)]
    if traces is None:
        table = made_up(readers, 2_000 if costs else _ENOUGH)
        findings += unknown(readers)
        ours = [one for one in scorers if all(name in CANONICAL for name in _reads(one))]
        _, failed = scored(ours, table)
    else:
        table = canonical(traces).collect()
        absent = missing(readers, table)
        findings += absent.values()
        scorers = [one for one in scorers if absent.keys().isdisjoint(_reads(one))]
        scores, failed = scored(scorers, table)
        there = {name: by for name, by in readers.items() if name not in absent}
        findings += _tried(scorers, there, table, scores)
        findings += gates(draft.suite.gates, scores)
    findings += failed.values()
    findings += _slow(scorers)
    findings.sort(key=lambda one: SEVERITIES.index(one.severity))
    height = None if traces is None else table.height
    able = [one for one in scorers if one.id not in failed and costs]
    return Lint(draft.suite.name, height, findings, *_costs(able, table))


def _mistakes(draft: Draft) -> Iterator[Finding]:
    places = [place(scorer_id) for scorer_id in draft.tables for place in (scorer, gate)]
    for mistake in map(str, draft.mistakes):
        about = next((place for place in places if mistake.startswith(f"{place}: ")), "")
        yield Finding("error", about, mistake.removeprefix(f"{about}: "))


def _reasoned(draft: Draft, traces: Frame | None) -> Iterator[Finding]:
    scorers = draft.suite.scorers
    calls = {one.id: call_of(one.id, draft.tables[one.id], one.description) for one in scorers}
    yield from alone(calls)
    yield from pairs(calls, draft.suite.gates)
    yield from literals(calls, [] if traces is None else canonical(traces).collect_schema())
    if traces is None:
        yield from gates(draft.suite.gates, pl.DataFrame())


def _tried(
    scorers: Sequence[Scorer], readers: Readers, table: pl.DataFrame, scores: pl.DataFrame
) -> Iterator[Finding]:
    lacking = empty(readers, table) if readers and table.height else {}
    yield from lacking.values()
    if table.height < _ENOUGH:
        told = f"on fewer than {_ENOUGH} traces it cannot be seen which scorers tell them apart"
        yield Finding("note", "", told)
        return
    full = [one.id for one in scorers if lacking.keys().isdisjoint(_reads(one))]
    yield from shown(scores.select(name for name in full if name in scores))
    yield from alike(scores)


def _reads(one: Scorer) -> set[str]:
    return roots([one.score])


def _readers(draft: Draft) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for one in draft.suite.scorers:
        for name in sorted(_reads(one)):
            found.setdefault(name, []).append(scorer(one.id))
    for scorer_id, asked in draft.suite.gates.items():
        for name in asked.by:
            found.setdefault(name, []).append(gate(scorer_id))
    return found


def _costs(scorers: Sequence[Scorer], table: pl.DataFrame) -> tuple[list[Cost], Cost | None]:
    if not scorers:
        return [], None
    return measure(scorers, table), measure_together(scorers, table)


def _slow(scorers: Sequence[Scorer]) -> Iterator[Finding]:
    for one in scorers:
        if way_of(one.score) == "backtracking":
            told = "has a pattern with look-around or back-references, which is searched row by row"
            yield Finding("note", scorer(one.id), told)
