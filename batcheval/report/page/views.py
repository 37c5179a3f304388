"""What pages of runs and of comparisons have in common, ready for the templates."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from batcheval.judging import Judged, Judgement
from batcheval.report.judgement import part_of
from batcheval.report.line_counts import count_lines
from batcheval.report.page.charts import distribution, said
from batcheval.report.page.safe import Cut, cut

View: TypeAlias = dict[str, Any]

CHARTS: Final = 60  # scorers that are drawn
ROWS: Final = 500  # rows of slices of one column
SUITE: Final = 20_000  # characters of a suite
_OUTCOMES: Final = {
    "passed": ("Passed", "good", "Every gate was reached."),
    "scored": ("Not passed", "bad", "The verdict is “scored”: a threshold was missed."),
    "failed": (
        "Failed",
        "bad",
        "The verdict is “failed”: a gate for every trace was missed.",
    ),
}
_FACTS: Final = {
    "lines": "lines",
    "rows": "rows",
    "scored": "scored",
    "blank": "blank",
    "quarantined": "quarantined",
    "repaired": "repaired",
    "without_output": "without output",
}
_AWKWARD: Final = ("quarantined", "repaired")


def outcome(judgement: Judgement) -> View | None:
    """What became of the gates; None where nothing was asked."""
    if judgement.verdict is None:
        return None
    word, tone, why = _OUTCOMES[judgement.verdict]
    return {"word": word, "tone": tone, "said": why, "tally": [], **_gates(judgement.gates)}


def _gates(gates: Sequence[Judged]) -> View:
    kept, caption = gates, "What the suite asks, and what was found"
    if len(gates) > ROWS:
        kept = sorted(gates, key=lambda gate: gate.passed)[:ROWS]
        caption = f"{ROWS:,} of the {len(gates):,} answers to what the suite asks, the missed first"
    rows = [gate._asdict() | {"slice": part_of(gate)} for gate in kept]
    return {"gates": rows, "gates_caption": caption}


def charts(bins: Mapping[str, Mapping[str, Sequence[int]]]) -> View:
    """The distributions of the first scorers, drawn and in words."""
    from markupsafe import Markup

    drawn = [
        {"scorer": scorer, "svg": Markup(distribution(series)), "said": said(series)}
        for scorer, series in list(bins.items())[:CHARTS]
    ]
    return {"charts": drawn, "charts_left_out": max(len(bins) - CHARTS, 0)}


def facts(counts: Mapping[str, Any] | None) -> View:
    """Numbers of lines and what became of them, and what else is told of the read."""
    if counts is None:
        return {"facts": [], "lines": ["The file of scores does not tell what was read."]}
    rows = [
        (label, f"{counts.get(key) or 0:,}", key in _AWKWARD and bool(counts.get(key)))
        for key, label in _FACTS.items()
        if key in counts
    ]
    repeated = (counts.get("repeated_ids") or {}).get("ids", 0)
    rows.append(("repeated trace ids", f"{repeated:,}", bool(repeated)))
    return {"facts": rows, "lines": count_lines(counts)[1:]}


def text(value: str | None) -> Cut | None:
    """A text to be shown up to its bound."""
    return None if value is None else cut(value)


def made(version: str, confidence: str, parts: Iterable[str]) -> str:
    """How scores and intervals came about."""
    by = f"Scored by batcheval {version}." if version else "Who scored is not told."
    return " ".join([by, f"Intervals hold the true value in {confidence} of cases.", *parts])


def level_of(confidence: float) -> str:
    """A confidence as it is written: `95%`."""
    return f"{100 * confidence:.4g}%"
