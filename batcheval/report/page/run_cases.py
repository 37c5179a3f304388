"""The worst traces of a run, ready for the template."""

from collections.abc import Mapping, Sequence
from typing import Any

from batcheval.findings import Cases
from batcheval.report.page.views import View, text
from batcheval.report.styles import counted


def worst_traces(worst: Cases, scorers: Sequence[str]) -> View:
    """How many there are, why texts are missing, and each trace."""
    shown = worst.frame.height
    said = "No trace scored below 1.0."
    if shown:
        said = (
            f"{counted(shown, 'trace')} of the {worst.total:,} with a score below 1.0: those with"
            " the lowest mean over the scorers. Long texts are cut."
        )
    cases = [_case(row, scorers) for row in worst.frame.to_dicts()]
    return {"said": said, "notes": worst.notes, "cases": cases}


def _case(row: Mapping[str, Any], scorers: Sequence[str]) -> View:
    scored = {scorer: row[scorer] for scorer in scorers if row[scorer] is not None}
    short = {scorer: score for scorer, score in scored.items() if score < 1}
    lowest = sorted(short, key=lambda scorer: short[scorer])
    place = f"{row['source']}:{row['line']}" if row.get("source") else ""
    facts = [f"{key} {row[key]}" for key in ("run", "task_id", "trial") if row.get(key) is not None]
    return {
        "name": row.get("trace_id") or place or "a trace",
        "said": f"{counted(len(short), 'score')} of {len(scored):,} below 1.0",
        "place": ", ".join([*[place] * bool(place), *facts]),
        "full": counted(len(scored) - len(short), "scorer"),
        "reasons": any(f"{scorer}_reason" in row for scorer in short),
        "scores": [
            {
                "scorer": scorer,
                "score": f"{short[scorer]:.3f}",
                "reason": row.get(f"{scorer}_reason") or "",
            }
            for scorer in lowest
        ],
        **{name: text(row[f"text:{name}"]) for name in ("input", "output", "expected", "error")},
    }
