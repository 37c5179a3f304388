"""What became of the gates of a suite, as data and in Markdown."""

from collections.abc import Iterator
from typing import Any

from batcheval.judging import Judgement
from batcheval.report.comment import Block, list_block
from batcheval.report.judgement import asked_of, gate_lines
from batcheval.report.layout import escaped


def gates_document(judgement: Judgement) -> dict[str, Any]:
    """The verdict and each thing that was asked; empty where nothing was."""
    if judgement.verdict is None:
        return {}
    gates = [gate._asdict() for gate in judgement.gates]
    return {"verdict": judgement.verdict, "gates": gates}


def gate_blocks(judgement: Judgement) -> Iterator[Block]:
    """The verdict and what was missed, open; what was passed, folded."""
    if judgement.verdict is None:
        return
    *lines, _ = gate_lines(judgement)
    missed = [line for line in lines if line.startswith("missed")]
    passed = [line for line in lines if not line.startswith("missed")]
    asked = asked_of(judgement)
    reached = sum(all(gate.passed for gate in gates) for gates in asked)
    counts = f"{reached:,} of {len(asked):,} gates reached"
    yield Block([f"**Verdict: {escaped(judgement.verdict)}** ({counts})"])
    yield list_block(missed)
    yield list_block(passed, "Gates that were reached" if passed else None)
