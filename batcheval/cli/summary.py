"""`batcheval summary`: the table at the end of a scoring run, once more."""

import click

from batcheval.cli.formatting import form_option


@click.command()
@click.argument("scores")
@form_option
def summary(scores: str, form: str) -> None:
    """Print the summary of SCORES, a file or a folder of parts."""
    from batcheval.report import render
    from batcheval.summary import summarize
    from batcheval.writing import counts_of

    click.echo(render(summarize(scores), counts_of(scores), form))  # type: ignore[arg-type]
