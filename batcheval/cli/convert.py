"""`batcheval convert`: traces of any layout into the canonical table."""

from typing import Any

import click

from batcheval.cli.reading import reading_options, traces_of


@click.command()
@click.argument("traces", nargs=-1, required=True)
@click.option("-o", "--out", required=True, type=click.Path(), help=".parquet, .jsonl or .csv.")
@click.option("--append", is_flag=True, help="Put the traces behind those in the file.")
@click.option("--overwrite", is_flag=True, help="Replace the file.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
@reading_options("--format", "--layout")
def convert(
    traces: tuple[str, ...],
    out: str,
    append: bool,
    overwrite: bool,
    quiet: bool,
    reading: dict[str, Any],
) -> None:
    """Write TRACES as the canonical table, so that they are scored at the speed of Parquet."""
    from batcheval.cli.progress import progress
    from batcheval.report import count_lines
    from batcheval.writing import write_traces

    if append and overwrite:
        raise click.UsageError("--append and --overwrite exclude each other")
    table, log = traces_of(traces, (), reading)
    with progress(log, quiet, "converting") as on_rows:
        written = write_traces(
            table,
            out,
            existing="append" if append else "overwrite" if overwrite else "refuse",
            log=log,
            on_rows=on_rows,
        )
    if not quiet:
        click.echo("\n".join(count_lines(written.counts)))
        click.echo(f"traces: {written.path} ({written.counts['written']:,} in it)")
        if written.quarantine:
            click.echo(f"lines set aside: {written.quarantine}")
