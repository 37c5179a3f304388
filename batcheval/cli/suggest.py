"""`batcheval suggest`: a suite that a dump speaks for."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from batcheval.cli.formatting import form_option
from batcheval.cli.reading import reading_options, traces_of

if TYPE_CHECKING:
    from batcheval.readers import ReadLog
    from batcheval.suggesting import Suggestions

_SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command()
@click.argument("traces", nargs=-1, required=True)
@click.option("--good", help="A SQL condition: a run is good where it is true. [all runs]")
@click.option("-o", "--out", type=click.Path(), help="The suite to write, in TOML.")
@click.option("--overwrite", is_flag=True, help="Replace the file.")
@click.option(
    "--share",
    type=_SHARE,
    default=0.9,
    show_default=True,
    help="Suggest what is sure to hold in so many of the good runs.",
)
@click.option(
    "--confidence",
    type=_SHARE,
    default=0.95,
    show_default=True,
    help="How sure; 1 less it is the level of the tests.",
)
@form_option
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@reading_options("--layout")
def suggest(
    traces: tuple[str, ...],
    good: str | None,
    out: str | None,
    overwrite: bool,
    share: float,
    confidence: float,
    form: str,
    quiet: bool,
    reading: dict[str, Any],
) -> None:
    """Propose a suite: what holds in nearly all good runs of TRACES.

    Tools that are always, never or only together called, their order, the shape of arguments,
    lengths, time and cost; each with its support, the runs that break it, and how well it tells
    good runs from bad ones.
    """
    from batcheval.cli.progress import progress
    from batcheval.conditions import predicate
    from batcheval.report import render_suggestions
    from batcheval.scorer import roots
    from batcheval.suggesting import suggest as suggested

    columns = roots([] if good is None else [predicate(good)])
    if out is not None:
        _require_place(out, overwrite)
    table, log = traces_of(traces, columns, reading)
    with progress(log, quiet, "looking") as on_rows:
        found = suggested(table, good, share=share, confidence=confidence, log=log, on_rows=on_rows)
    if out is not None:
        _write(found, out, log)
    click.echo(render_suggestions(found, form))  # type: ignore[arg-type]
    if out is not None:
        click.echo(f"suite: {out}", err=form != "text")


def _require_place(out: str, overwrite: bool) -> None:
    """See to it that a suite can be written, before any work is done."""
    from batcheval.errors import ExistingFileError, WrongEndingError
    from batcheval.output.replacement import Replacement

    path = Path(out)
    if path.suffix.lower() != ".toml":
        raise WrongEndingError(out, "--out", [".toml"])
    if path.exists() and not overwrite:
        raise ExistingFileError(out, "--overwrite")
    Replacement(path)


def _write(found: "Suggestions", out: str, log: "ReadLog") -> None:
    from batcheval.errors import NothingHoldsError
    from batcheval.report.page import write_text
    from batcheval.suggesting import suite_text
    from batcheval.writing.apart import require_apart

    if not found.suggestions:
        raise NothingHoldsError(found.tried, found.share)
    require_apart(Path(out), log)
    names = [Path(source).name for source in log.sources]
    write_text(out, suite_text(found, names[0] if len(names) == 1 else f"{len(names):,} files"))
