"""`batcheval init` and `batcheval check-suite`: a suite to begin with, and a look at one."""

import os
from typing import TYPE_CHECKING, Any, Final

import click

from batcheval.cli.formatting import form_option
from batcheval.cli.reading import reading_options, traces_of

if TYPE_CHECKING:
    import polars as pl

    from batcheval.suite import Draft

_FAULTY: Final = 2  # the exit code


@click.command()
@click.argument("kind", required=False)
@click.option("-o", "--out", type=click.Path(), default="suite.toml", show_default=True)
@click.option("--overwrite", is_flag=True, help="Replace a file that is there.")
def init(kind: str | None, out: str, overwrite: bool) -> None:
    """Write a commented suite to begin with, for agents of some KIND; without it, list them."""
    from batcheval.errors import ExistingFileError
    from batcheval.report import render_formats
    from batcheval.report.page.files import write_text
    from batcheval.suite.ready import READY, ready_suite

    if kind is None:
        click.echo(render_formats(READY))
        return
    text = ready_suite(kind)
    if os.path.lexists(out) and not overwrite:
        raise ExistingFileError(out, "--overwrite, or another name with --out")
    write_text(out, text)
    click.echo(f"suite: {out}")


@click.command("check-suite")
@click.argument("suite", type=click.Path())
@click.argument("traces", nargs=-1)
@click.option(
    "--limit",
    type=click.IntRange(1, 1_000_000),
    default=2_000,
    show_default=True,
    help="Try it on the first N traces.",
)
@click.option("--costs/--no-costs", default=True, show_default=True, help="Measure the scorers.")
@form_option
@reading_options("--layout")
def check_suite(
    suite: str,
    traces: tuple[str, ...],
    limit: int,
    costs: bool,
    form: str,
    reading: dict[str, Any],
) -> None:
    """Find what is wrong or odd in SUITE, by itself or on a sample of TRACES, and what it costs.

    Ends with exit code 2 if there are errors; warnings and notes let it pass.
    """
    from batcheval.linting import lint
    from batcheval.report import render_lint
    from batcheval.suite import read_suite

    draft = read_suite(suite)
    sample = _sample(draft, traces, limit, reading) if traces else None
    found = lint(draft, sample, costs=costs)
    click.echo(render_lint(found, form))  # type: ignore[arg-type]
    if found.has_errors:
        raise click.exceptions.Exit(_FAULTY)


def _sample(
    draft: "Draft", paths: tuple[str, ...], limit: int, reading: dict[str, Any]
) -> "pl.DataFrame":
    import polars as pl

    from batcheval.errors import NoTracesError
    from batcheval.suite import slicing_columns
    from batcheval.writing.streaming import frames_of, what_there_was

    columns = {column for one in draft.suite.scorers for column in one.columns}
    table, log = traces_of(paths, columns | {*slicing_columns(draft.suite.gates)}, reading)
    frames = [*frames_of(table.head(limit), log)]
    if not sum(frame.height for frame in frames):
        raise NoTracesError(log.sources, what_there_was(log))
    return pl.concat(frames)
