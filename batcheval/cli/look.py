"""`batcheval inspect` and `batcheval show`: what a dump holds, and one run of it."""

from typing import Any

import click

from batcheval.cli.reading import reading_options, traces_of


@click.command()
@click.argument("traces", nargs=-1, required=True)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to print it.",
)
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
@reading_options("--format", "--layout")
def show(traces: tuple[str, ...], trace_id: str, reading: dict[str, Any]) -> None:
    """Show the run called TRACE_ID in TRACES: turns, calls, results, errors marked."""
    import polars as pl

    from batcheval.errors import UnknownTraceError
    from batcheval.report import render_trace

    table, _ = traces_of(traces, (), reading)
    found = table.filter(pl.col("trace_id") == trace_id).head(100).collect(engine="streaming")
    if not found.height:
        near = table.select("trace_id").head(10_000).collect(engine="streaming")["trace_id"]
        raise UnknownTraceError(trace_id, near.to_list())
    click.echo("\n\n".join(map(render_trace, found.to_dicts())))
