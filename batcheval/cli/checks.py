"""`batcheval checks`: what can be checked."""

import click


@click.command()
@click.argument("name", required=False)
def checks(name: str | None) -> None:
    """List the checks with their arguments, or show all about the one called NAME."""
    from batcheval.checks import CHECKS, find_check
    from batcheval.report import render_check, render_checks

    click.echo(render_checks(CHECKS) if name is None else render_check(name, find_check(name)))
