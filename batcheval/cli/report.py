"""`batcheval report`: the page of one run."""

from typing import Any

import click

from batcheval.cli.formatting import PRINTED
from batcheval.cli.reading import how_to_read, reading_options, traces_of
from batcheval.cli.reporting import Besides, write_run


@click.command()
@click.argument("scores")
@click.option(
    "-o",
    "--report",
    default="report.html",
    show_default=True,
    type=click.Path(),
    help="The page, .html.",
)
@click.option("--junit", type=click.Path(), help="Write JUnit XML too, .xml.")
@click.option("--by", multiple=True, help="Tell each value of this column apart, e.g. model.")
@click.option("--min-size", type=click.IntRange(1), help="Slices by a column have so many traces.")
@click.option("--format", "form", type=click.Choice(PRINTED), help="Print the tables too.")
@click.option("--traces", multiple=True, help="Where to look up what the scores do not hold.")
@reading_options("--layout")
def report(
    scores: str,
    report: str,
    junit: str | None,
    by: tuple[str, ...],
    min_size: int | None,
    form: str | None,
    traces: tuple[str, ...],
    reading: dict[str, Any],
) -> None:
    """Make a page of HTML of a file of SCORES, a folder of them, or FILE@RUN.

    With --format, its tables are printed too: scorers, gates, and the slices of --by.

    The texts of the worst traces are read again from the sources that the scores name.
    """
    from dataclasses import replace

    from batcheval.comparing import open_run
    from batcheval.findings import look_at_run
    from batcheval.report import render_run

    if min_size and not by:
        raise click.UsageError("--min-size is of the slices of --by, which is not given")
    besides = Besides(report, junit)
    besides.require()
    run = replace(open_run(scores, "the scores"), reading=how_to_read(reading))
    table = traces_of(traces, by, reading)[0] if traces else None
    found = look_at_run(run, by=by, min_size=min_size or 0, traces=table)
    write_run(found, besides)
    if form:
        click.echo(render_run(found, form))  # type: ignore[arg-type]
    besides.tell(err=form not in (None, "text"))
