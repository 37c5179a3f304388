"""`batcheval report`: the page of one run."""

from typing import TYPE_CHECKING, Any

import click

from batcheval.cli.reading import reading_options, traces_of
from batcheval.cli.reporting import Besides

if TYPE_CHECKING:
    from batcheval.findings import Read, RunFindings


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
@reading_options("--layout")
def report(
    scores: str, report: str, junit: str | None, by: tuple[str, ...], reading: dict[str, Any]
) -> None:
    """Make a page of HTML of a file of SCORES, a folder of them, or FILE@RUN.

    The texts of the worst traces are read again from the sources that the scores name.
    """
    from batcheval.findings import look_at_run

    besides = Besides(report, junit)
    besides.require()
    found = look_at_run(scores, by=by, read=again(reading))
    write_run(found, besides)
    besides.tell()


def again(reading: dict[str, Any]) -> "Read":
    """What reads sources as the options say."""
    return lambda sources: traces_of(sources, (), reading)[0]


def write_run(found: "RunFindings", besides: Besides) -> None:
    """Write what is wanted of one run."""
    from batcheval.report.page import run_page, write_text

    if besides.report is not None:
        write_text(besides.report, run_page(found))
    if besides.junit is not None:
        from batcheval.report.junit import run_junit

        write_text(besides.junit, run_junit(found))
