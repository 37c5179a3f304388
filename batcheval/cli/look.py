"""`batcheval inspect` and `batcheval show`: what a dump holds, and one run of it."""

import os
import sys
from typing import Any

import click

from batcheval.cli.formatting import form_option
from batcheval.cli.reading import reading_options, traces_of


@click.command()
@click.argument("traces", nargs=-1, required=True)
@form_option
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@reading_options("--layout")
def inspect(traces: tuple[str, ...], form: str, quiet: bool, reading: dict[str, Any]) -> None:
    """Tell what is in TRACES: layouts, runs, models, tools with error rates, lengths, gaps."""
    from batcheval.cli.progress import progress
    from batcheval.profiling import profile
    from batcheval.report import render_profile

    table, log = traces_of(traces, (), reading)
    with progress(log, quiet, "looking") as on_rows:
        found = profile(table, log, on_rows)
    click.echo(render_profile(found, form))  # type: ignore[arg-type]


@click.command()
@click.argument("traces", nargs=-1, required=True)
@click.argument("trace_id")
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Of several traces of this id, how many to show.",
)
@reading_options("--format", "--layout", run="Of several runs of this id, the one to show.")
def show(traces: tuple[str, ...], trace_id: str, limit: int, reading: dict[str, Any]) -> None:
    """Show the run called TRACE_ID in TRACES: turns, calls, results, errors marked.

    The beginning of an id will do where no other id begins so.
    """
    from batcheval.report import render_traces
    from batcheval.selection import called
    from batcheval.writing.streaming import frames_of

    run, reading["run"] = reading["run"], None
    table, log = traces_of(traces, (), reading)
    found = called(table, trace_id, run).head(limit + 1)
    pages = render_traces(frames_of(found, log), limit)
    if sys.stdout is not None and sys.stdout.isatty():
        os.environ.setdefault("LESS", "FRX")  # as git has it: what fits the screen stays on it
        click.echo_via_pager(pages)
    else:
        for page in pages:
            click.echo(page, nl=False)
