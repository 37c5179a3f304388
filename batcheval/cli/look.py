"""`batcheval inspect` and `batcheval show`: what a dump holds, and one run of it."""

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import click

from batcheval.cli.formatting import form_option
from batcheval.cli.reading import reading_options, traces_of

if TYPE_CHECKING:
    import polars as pl

_OF_PAIRS: Final = ("base:trace_id", "candidate:trace_id", "task_id", "trace_id")


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

    The beginning of an id will do where no other id begins so. In a file that
    `compare --regressions` wrote, both runs are shown and where outputs differ; the id of the task
    finds them too.
    """
    from batcheval.comparing import open_regressions
    from batcheval.report import render_traces
    from batcheval.selection import called
    from batcheval.writing.streaming import frames_of

    if len(traces) == 1 and (pairs := open_regressions(traces[0])) is not None:
        _print(_pairs(pairs, trace_id, limit))
        return
    run, reading["run"] = reading["run"], None
    table, log = traces_of(traces, (), reading)
    found = called(table, trace_id, run).head(limit + 1)
    _print(render_traces(frames_of(found, log), limit))


def _pairs(pairs: "pl.LazyFrame", trace_id: str, limit: int) -> Iterator[str]:
    import polars as pl

    from batcheval.errors import UnknownTraceError
    from batcheval.report import render_pair

    names = [name for name in _OF_PAIRS if name in pairs.collect_schema()]
    is_it = pl.any_horizontal(pl.col(names).cast(pl.String) == trace_id)
    rows = pairs.filter(is_it).head(limit).collect(engine="streaming")
    if not rows.height:
        known = pairs.select(pl.col(names).cast(pl.String)).head(1_000).collect()
        raise UnknownTraceError(trace_id, [i for n in names for i in known[n].drop_nulls()])
    for place, row in enumerate(rows.to_dicts()):
        yield "\n" * bool(place) + render_pair(row) + "\n"


def _print(pages: Iterator[str]) -> None:
    if sys.stdout is not None and sys.stdout.isatty():
        os.environ.setdefault("LESS", "FRX")  # as git has it: what fits the screen stays on it
        click.echo_via_pager(pages)
    else:
        for page in pages:
            click.echo(page, nl=False)
