"""`batcheval report`: the page of one run."""

from typing import Any

import click

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
@click.option("--traces", multiple=True, help="Where to look up what the scores do not hold.")
@reading_options("--layout")
def report(
    scores: str,
    report: str,
    junit: str | None,
    by: tuple[str, ...],
    traces: tuple[str, ...],
    reading: dict[str, Any],
) -> None:
    """Make a page of HTML of a file of SCORES, a folder of them, or FILE@RUN.

    The texts of the worst traces are read again from the sources that the scores name.
    """
    from dataclasses import replace

    from batcheval.comparing import open_run
    from batcheval.findings import look_at_run

    besides = Besides(report, junit)
    besides.require()
    run = replace(open_run(scores, "the scores"), reading=how_to_read(reading))
    table = traces_of(traces, by, reading)[0] if traces else None
    write_run(look_at_run(run, by=by, traces=table), besides)
    besides.tell()
