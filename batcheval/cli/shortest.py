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
    frame, _ = traces_of(traces, reads, reading)
    found = measure(frame, condition)
    write_shortest(found, out)
    click.echo(f"{len(found):,} {'task' if len(found) == 1 else 'tasks'} in {out}")
