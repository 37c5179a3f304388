"""`batcheval explain`: why one run was scored so."""

import sys
from typing import Any

import click

from batcheval.cli.formatting import form_option
from batcheval.cli.reading import how_to_read, reading_options, traces_of


@click.command()
@click.argument("scores")
@click.argument("trace_id")
@click.option("-s", "--suite", type=click.Path(), help="Score by it, not by the one in the file.")
@click.option("--traces", multiple=True, help="Where to look the run up, if its source has moved.")
@form_option
@reading_options("--layout", run="Of several runs of this id, the one to explain.")
def explain(
    scores: str,
    trace_id: str,
    suite: str | None,
    traces: tuple[str, ...],
    form: str,
    reading: dict[str, Any],
) -> None:
    """Tell why the run called TRACE_ID has its SCORES: reasons, and the evidence marked.

    The run is read again from its source and scored again by the suite that the file keeps. The
    beginning of an id will do where no other id begins so.
    """
    from dataclasses import replace

    from batcheval.comparing import open_run
    from batcheval.explaining import explain as explained
    from batcheval.report import render_explanation
    from batcheval.suite import load_suite

    name, reading["run"] = reading["run"], None
    opened = replace(open_run(scores, "the scores"), reading=how_to_read(reading))
    by = None if suite is None else load_suite(suite)
    reads = {column for one in (by.scorers if by else ()) for column in one.columns}
    table = traces_of(traces, sorted(reads), reading)[0] if traces else None
    found = explained(opened, trace_id, run=name, suite=by, traces=table)
    lit = sys.stdout is not None and sys.stdout.isatty()
    click.echo(render_explanation(found, form, lit))  # type: ignore[arg-type]
