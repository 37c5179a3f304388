"""Why one run has the scores that it has."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from batcheval.comparing import Run, Source, open_run
from batcheval.engine import score
from batcheval.errors import quoted
from batcheval.explaining.again import row_of, suite_again, trace_again
from batcheval.explaining.evidence import Span, calls_in, merged, missing_in, spans_in
from batcheval.explaining.result import Explained, Explanation
from batcheval.schema import Frame
from batcheval.scorer import Scorer
from batcheval.suite import Gate, Suite

TEXTS: Final = ("output", "input", "expected")
_CHANGED: Final = 1e-9


def explain(
    scores: Source,
    trace_id: str,
    *,
    run: str | None = None,
    suite: Suite | None = None,
    traces: Frame | None = None,
) -> Explanation:
    """Every score of one run with its reason, and the evidence in its texts and calls.

    The run is read again from its source and scored again by the suite.

    Args:
        scores: as for `compare`: a file, a folder, `FILE@RUN`, or a table.
        trace_id: its id, or a beginning that no other id has.
        run: the experiment run, where the id stands in several.
        suite: by which it is scored; without, by the one that the file keeps.
        traces: where the run is looked up; without, in the files that the scores name.

    Raises:
        UnknownTraceError: no id begins so; near ones are named.
        AmbiguousTraceError: several do.
        SeveralRowsError: the id stands on several rows.
        LostTracesError: the source is gone, or the trace is no longer in it.
        BatchevalError: else what `open_run`, `score` and the suite raise.

    Example:
        >>> import polars as pl
        >>> from batcheval.suite import suite_of
        >>> scores = pl.DataFrame({"trace_id": ["a"], "sorry": [1.0]})
        >>> traces = pl.DataFrame({"trace_id": ["a"], "output": ["I am so sorry!"]})
        >>> suite = suite_of("scorers.sorry.check = 'apologises'")
        >>> found = explain(scores, "a", suite=suite, traces=traces)
        >>> found.scores[0].reason, found.spans["output"][0][:2]
        ("the output apologises by 'so sorry'", (5, 13))
    """
    opened = open_run(scores, "the scores")
    row = row_of(opened, trace_id, run)
    by = suite or suite_again(opened)
    scorers = [one for one in by.scorers if one.id in opened.scorers]
    again = trace_again(opened, row, scorers, traces)
    trace = again.row(0, named=True)
    made = score(again, scorers, details=True, reasons=True).collect().row(0, named=True)
    known = {one.id for one in scorers}
    told = [_explained(name, row, made, by.gates.get(name), known) for name in opened.scorers]
    calls = trace["tool_calls"] or []
    by_call: dict[int, list[str]] = {}
    for one in told:
        for number in calls_in(calls, one.details):
            by_call.setdefault(number, []).append(one.scorer)
    spans = _spans(trace, scorers, told)
    return Explanation(trace, told, spans, by_call, _notes(opened, known))


def _notes(run: Run, known: set[str]) -> list[str]:
    if lost := [name for name in run.scorers if name not in known]:
        return [f"how {quoted(lost)} was scored is not known, so what the file says is shown"]
    return []


def _explained(
    name: str,
    row: Mapping[str, Any],
    made: Mapping[str, Any],
    gate: Gate | None,
    scored: set[str],
) -> Explained:
    source = made if name in scored else row
    now, before = source[name], row[name]
    differs = (now is None) != (before is None) or (
        now is not None and abs(now - before) > _CHANGED
    )
    details = source.get(f"{name}_details")
    details = details if isinstance(details, dict) else None
    return Explained(
        scorer=name,
        score=now,
        recorded=before if differs else None,
        verdict=verdict_on(now, gate),
        reason=source.get(f"{name}_reason"),
        details=details,
        missing=missing_in(details),
    )


def verdict_on(score: float | None, gate: Gate | None) -> str:
    """What a gate says of one score; gates judge means, so that this is but a share of them.

    Example:
        >>> verdict_on(0.5, Gate(min=0.8)), verdict_on(1.0, Gate(every=True)), verdict_on(0.5, None)
        ('below min 0.8', 'reached', '-')
    """
    if score is None:
        return "unscored"
    if gate is None:
        return "-"
    missed = ["not 1.0"] * (gate.every and score < 1)
    if gate.min is not None and score < gate.min:
        missed.append(f"below min {gate.min:g}")
    if gate.max is not None and score > gate.max:
        missed.append(f"above max {gate.max:g}")
    return ", ".join(missed) or "reached"


def _spans(
    trace: Mapping[str, Any], scorers: Sequence[Scorer], told: Sequence[Explained]
) -> dict[str, list[Span]]:
    reads = {one.id: next((t for t in TEXTS if t in one.columns), "output") for one in scorers}
    found: dict[str, list[Span]] = {}
    for one in told:
        name = reads.get(one.scorer, "output")
        if text := trace.get(name):
            found.setdefault(name, []).extend(spans_in(text, one.details, one.scorer))
    return {name: merged(spans) for name, spans in found.items() if spans}
