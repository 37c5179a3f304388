"""`batcheval shortest`: the fewest calls that a good run of each task took."""

from typing import Any

import click

from batcheval.cli.reading import reading_options, traces_of


@click.command()
@click.argument("traces", nargs=-1, required=True)
@click.option("--where", "condition", help="A condition in SQL: the runs that count, [all].")
@click.option("-o", "--out", required=True, help="The JSON file to write.")
@reading_options("--format", "--layout")
def shortest(
    traces: tuple[str, ...], condition: str | None, out: str, reading: dict[str, Any]
) -> None:
    """Write the number of calls of the shortest run of each task in TRACES, by its task_id.

    The check call_efficiency takes the file as its `shortest`.
    """
    from batcheval.conditions import predicate
    from batcheval.shortest import shortest as measure
    from batcheval.shortest import write_shortest

    reads = [] if condition is None else predicate(condition).meta.root_names()
    frame, log = traces_of(traces, reads, reading)
    found = measure(frame, condition)
    write_shortest(found.calls, out)
    count = len(found.calls)
    click.echo(f"{count:,} {'task' if count == 1 else 'tasks'} in {out}")
    if log.first_bad is not None:
        bad, first = f"{log.quarantined:,} of {log.lines:,} lines", log.first_bad
        place = f"{first.source}:{first.line}, {first.reason}"
        click.echo(f"warning: {bad} could not be read; the first is {place}", err=True)
    if found.taskless:
        runs = "1 run has" if found.taskless == 1 else f"{found.taskless:,} runs have"
        click.echo(f"warning: {runs} no task_id, left out", err=True)
