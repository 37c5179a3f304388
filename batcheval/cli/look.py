"""`batcheval inspect` and `batcheval show`: what a dump holds, and one run of it."""

from typing import Any, Final

import click

from batcheval.cli.reading import reading_options, traces_of

_OF_PAIRS: Final = ("base:trace_id", "candidate:trace_id", "task_id", "trace_id")


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
    """Show the run called TRACE_ID in TRACES: turns, calls, results, errors marked.

    In a file that `compare --regressions` wrote, both runs are shown and where outputs differ; the
    id of the task finds them too.
    """
    import polars as pl

    from batcheval.comparing import open_regressions
    from batcheval.errors import UnknownTraceError
    from batcheval.report import render_pair, render_trace

    if len(traces) == 1 and (pairs := open_regressions(traces[0])) is not None:
        names = [name for name in _OF_PAIRS if name in pairs.collect_schema()]
        ids = pairs.select(pl.col(names).cast(pl.String))
        is_it = pl.any_horizontal(pl.col(names).cast(pl.String) == trace_id)
        rows = pairs.filter(is_it).head(100).collect(engine="streaming")
        if not rows.height:
            known = ids.head(1_000).collect()
            raise UnknownTraceError(trace_id, [i for n in names for i in known[n].drop_nulls()])
        click.echo("\n\n".join(map(render_pair, rows.to_dicts())))
        return
    table, _ = traces_of(traces, (), reading)
    found = table.filter(pl.col("trace_id") == trace_id).head(100).collect(engine="streaming")
    if not found.height:
        near = table.select("trace_id").head(10_000).collect(engine="streaming")["trace_id"]
        raise UnknownTraceError(trace_id, near.to_list())
    click.echo("\n\n".join(map(render_trace, found.to_dicts())))
