"""suggest(): a suite that the good runs of a dump speak for."""

from collections.abc import Callable, Iterator
from typing import Final

import polars as pl

from batcheval.errors import BadArgumentError, NoTracesError, TooFewRunsError
from batcheval.ids import free_id
from batcheval.output import Groups
from batcheval.readers import ReadLog
from batcheval.schema import Frame, canonical
from batcheval.selection import judged
from batcheval.suggesting import limits, orders, tools
from batcheval.suggesting.calls import GOOD
from batcheval.suggesting.candidates import Bar, Candidate, Rule, Tried
from batcheval.suggesting.chosen import chosen
from batcheval.suggesting.evidence import COLUMNS, Evidence
from batcheval.suggesting.result import Suggestions
from batcheval.suggesting.support import measured
from batcheval.suggesting.telling import at_least
from batcheval.writing.streaming import frames_of, what_there_was

_ROWS: Final = 8_192  # that are looked at at once
_MOST: Final = 50  # candidates of a kind of which the support is counted
_ERRORS: Final = 10
_RULES: Final[tuple[Rule, ...]] = (*tools.RULES, *orders.RULES, *limits.RULES)


def suggest(
    traces: Frame,
    good: str | None = None,
    *,
    share: float = 0.9,
    confidence: float = 0.95,
    log: ReadLog | None = None,
    on_rows: Callable[[int], None] | None = None,
) -> Suggestions:
    """Propose a suite: what holds in nearly all good runs of a dump.

    The dump is read twice: once for what there may be to say, once for the support, which comes
    from the scores of the proposed checks themselves. A suggestion's share of good runs is `share`
    or more with `confidence`, by the one-sided exact bound; each is looked at alone, so that among
    many some may fall a little short. Whether it tells good runs from bad ones is Fisher's exact
    test, its p adjusted by Holm for everything that was tried. Limits and schemas are fitted to the
    very runs that they are then held against; a second dump tells more. Runs are taken as
    independent, which trials of one task are not.

    Args:
        traces: as for `score`.
        good: a SQL condition on the columns: a run is good where it is true, bad where it is false,
            and neither where it is null. Without, all runs are examples.
        share: in what share of good runs a suggestion holds, above 0 and below 1.
        confidence: of that, and 1 less the level of the tests; above 0 and below 1.
        log: the one given to `read_traces`.
        on_rows: told how many more rows have been looked at; each is twice.

    Raises:
        BadPredicateError: `good` is no condition over the columns that there are.
        MissingColumnsError: it reads a column that the traces lack.
        BadArgumentError: `share` or `confidence` is no such number.
        NoTracesError: there is no trace.
        TooFewRunsError: there are too few good runs to suggest anything.

    Example:
        >>> calls = [{"name": name, "state": "ok"} for name in ("search", "answer")]
        >>> traces = pl.DataFrame({"trace_id": [f"t{n}" for n in range(40)]})
        >>> found = suggest(traces.with_columns(tool_calls=pl.lit(calls)))
        >>> found.suggestions[0].says, round(found.suggestions[0].low, 3)
        ('every run calls answer', 0.928)
    """
    bar = _bar(share, confidence)
    log, tell = ReadLog() if log is None else log, on_rows or (lambda rows: None)
    table = _labelled(traces, good, log)
    evidence = _gathered(table, log, tell)
    runs = evidence.runs
    if runs["good"] < bar.least:
        raise TooFewRunsError(runs["good"], bar.least, share, confidence, good is not None)
    tried = [one for rule in _RULES for one in rule(evidence, bar)]
    named = dict(_named(_cleared(tried, bar)))
    log.restart()
    support = measured(table, {name: one.check for name, one in named.items()}, log, tell)
    suggestions, left_out = chosen(named, support, bar, len(tried))
    return Suggestions(
        good=good,
        runs=runs,
        share=share,
        confidence=confidence,
        least=bar.least,
        tried=len(tried),
        suggestions=suggestions,
        left_out=left_out,
        errors=evidence.errors().head(_ERRORS).to_dicts(),
        labels=[] if good else sorted(evidence.labels),
    )


def _bar(share: float, confidence: float) -> Bar:
    for name, value in (("share", share), ("confidence", confidence)):
        if not 0 < value < 1:
            raise BadArgumentError(name, "a number between 0 and 1, such as 0.9", value)
    return Bar(share, confidence)


def _labelled(traces: Frame, good: str | None, log: ReadLog) -> pl.LazyFrame:
    """The canonical table, with a column that says whether a run is good."""
    table = canonical(traces, log.lose)
    if good is None:
        return table.with_columns(pl.lit(True).alias(GOOD))
    table, condition = judged(table, good, "--good")
    return table.with_columns(condition.alias(GOOD))


def _gathered(table: pl.LazyFrame, log: ReadLog, on_rows: Callable[[int], None]) -> Evidence:
    log.restart()
    evidence = Evidence()
    groups = Groups(_ROWS, evidence.add)
    for frame in frames_of(table.select(*COLUMNS, GOOD), log):
        groups.add(frame)
        on_rows(frame.height)
    groups.flush()
    log.close()
    if not evidence.runs["all"]:
        raise NoTracesError(log.sources or ["the table"], what_there_was(log))
    return evidence


def _cleared(tried: list[Tried], bar: Bar) -> Iterator[Candidate]:
    """The candidates that may clear the bar; of very many of a kind, those with most support."""
    kinds: dict[str, list[Tried]] = {}
    for one in tried:
        if bar.cleared(one.holds, one.runs):
            kinds.setdefault(one.candidate.kind, []).append(one)
    for several in kinds.values():
        several.sort(key=lambda one: -at_least(one.holds, one.runs, bar.confidence))
        yield from (one.candidate for one in several[:_MOST])


def _named(candidates: Iterator[Candidate]) -> Iterator[tuple[str, Candidate]]:
    taken: list[str] = []
    for one in candidates:
        plain = "".join(char if char.isalnum() or char in "_-" else "_" for char in one.name)
        taken.append(free_id(plain, taken))
        yield taken[-1], one
