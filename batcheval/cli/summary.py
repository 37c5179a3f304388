"""`batcheval summary`: the table at the end of a scoring run, once more."""

import click

from batcheval.cli.reporting import format_option


@click.command()
@click.argument("scores", type=click.Path(exists=True, dir_okay=False))
@format_option
def summary(scores: str, form: str) -> None:
    """Print the summary of a file of SCORES."""
    from batcheval.report import render
    from batcheval.summary import summarize
    from batcheval.writing import counts_of

    click.echo(render(summarize(scores), counts_of(scores), form))  # type: ignore[arg-type]
