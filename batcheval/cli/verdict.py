"""What gates say of a comparison, and the exit code that follows."""

from typing import TYPE_CHECKING

import click

from batcheval.cli.score import GATE_MISSED

if TYPE_CHECKING:
    import polars as pl

    from batcheval.comparing import Comparison, Run
    from batcheval.judging import Judgement
    from batcheval.suite import Suite


def judged(
    found: "Comparison", candidate: "Run", suite: "Suite", by: str, traces: "pl.LazyFrame | None"
) -> "Judgement":
    """All gates: what is asked of the candidate itself, and of the difference from the base."""
    from batcheval.findings import judged_run
    from batcheval.judging import judge_regressions, together

    own = judged_run(candidate, suite.gates, traces)
    change = judge_regressions(found.scorers, suite.gates, by, found.slices)  # type: ignore[arg-type]
    return together(own, change)


def end_by(judgements: "list[Judgement]") -> None:
    """Tell all verdicts; one that is not `passed` ends the command with exit code 1."""
    from batcheval.report import gate_lines

    for one in judgements:
        if one.gates:
            click.echo("\n".join(gate_lines(one)), err=True)
    if any(one.verdict not in (None, "passed") for one in judgements):
        raise click.exceptions.Exit(GATE_MISSED)
