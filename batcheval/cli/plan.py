"""`batcheval plan`: what scoring traces will take, before it is done."""

from pathlib import Path
from typing import Any

import click

from batcheval.cli.reading import how_to_read, log_of, reading_options


@click.command()
@click.argument("traces", nargs=-1, required=True)
@click.option("-s", "--suite", type=click.Path(), help="The scorers, in TOML or JSON.")
@click.option("-c", "--check", multiple=True, help="One more check, e.g. 'includes(\"sunny\")'.")
@click.option("--keep", multiple=True, help="A column or path to carry over, e.g. metadata.city.")
@click.option("--where", help="A SQL condition on traces, e.g. \"model = 'm-large'\".")
@click.option("--workers", type=click.IntRange(1), help="How many processes are to score.")
@reading_options("--format", "--layout")
def plan(
    traces: tuple[str, ...],
    suite: str | None,
    check: tuple[str, ...],
    keep: tuple[str, ...],
    where: str | None,
    workers: int | None,
    reading: dict[str, Any],
) -> None:
    """Show the parts of TRACES, what each scorer costs, and the time and memory to expect."""
    from batcheval.cli.scoring import columns_of
    from batcheval.parts import look_ahead, plan_parts, workers_of
    from batcheval.report import render_outlook
    from batcheval.suite import Suite, load_suite, scorers_from_calls, slicing_columns

    if not suite and not check:
        raise click.UsageError("nothing to check: give --suite or --check")
    loaded = load_suite(suite) if suite else Suite([])
    taken = [scorer.id for scorer in loaded.scorers]
    scorers = [*loaded.scorers, *scorers_from_calls(check, taken, Path.cwd())]
    kept = list(dict.fromkeys([*keep, *slicing_columns(loaded.gates)]))
    parts = plan_parts(
        *traces,
        run=reading["run"],
        columns=columns_of(where, scorers, kept),
        where=where,
        log=log_of(reading),
        **how_to_read(reading),
    )
    outlook = look_ahead(parts, scorers, kept, workers_of(parts, workers))
    click.echo(render_outlook(outlook))
