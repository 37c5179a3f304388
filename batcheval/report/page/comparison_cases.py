"""The pairs that got worse, ready for the template."""

from collections.abc import Mapping, Sequence
from typing import Any

from batcheval.findings import Cases
from batcheval.report.page.marks import marked
from batcheval.report.page.views import View, text
from batcheval.report.said import signed
from batcheval.report.styles import counted


def worst_pairs(worst: Cases, scorers: Sequence[str]) -> View:
    """How many there are, why texts are missing, and each pair."""
    shown = worst.frame.height
    said = "No score of any pair fell."
    if shown:
        said = (
            f"{counted(shown, 'pair')} of the {worst.total:,} in which a score fell: those that"
            " lost most over all scorers. Words that the other output lacks are marked; long texts"
            " are cut."
        )
    cases = [_case(row, scorers) for row in worst.frame.to_dicts()]
    return {"said": said, "notes": worst.notes, "cases": cases}


def _case(row: Mapping[str, Any], scorers: Sequence[str]) -> View:
    both = {s: (row[f"base:{s}"], row[f"candidate:{s}"]) for s in scorers}
    known = {s: pair for s, pair in both.items() if None not in pair}
    changed = {s: pair for s, pair in known.items() if pair[0] != pair[1]}
    order = sorted(changed, key=lambda scorer: changed[scorer][1] - changed[scorer][0])
    fell = [scorer for scorer in order if changed[scorer][1] < changed[scorer][0]]
    outputs = [text(row["base_output"]), text(row["candidate_output"])]
    pieces: tuple[Any, Any] = (None, None)
    if outputs[0] and outputs[1] and outputs[0].text and outputs[1].text:
        pieces = marked(outputs[0].text, outputs[1].text)
    return {
        "name": row["key"],
        "said": f"{counted(len(fell), 'score')} fell: {', '.join(fell[:5])}"
        + (" …" if len(fell) > 5 else ""),
        "input": text(row["text:input"]),
        "expected": text(row["text:expected"]),
        "base": outputs[0],
        "candidate": outputs[1],
        "base_pieces": pieces[0],
        "candidate_pieces": pieces[1],
        "base_trace": row["base_trace"],
        "candidate_trace": row["candidate_trace"],
        "same": counted(len(known) - len(changed), "score"),
        "scores": [_score(scorer, *changed[scorer]) for scorer in order],
    }


def _score(scorer: str, base: float, candidate: float) -> View:
    return {
        "scorer": scorer,
        "base": f"{base:.3f}",
        "candidate": f"{candidate:.3f}",
        "change": signed(candidate - base),
        "tone": "bad" if candidate < base else "good",
    }
