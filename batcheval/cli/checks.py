"""`batcheval checks`: what can be checked."""

import click


@click.command()
@click.argument("name", required=False)
def checks(name: str | None) -> None:
    """List the checks with their arguments, or show all about the one called NAME."""
    from batcheval.checks import check_names, find_check
    from batcheval.errors import CheckImportError
    from batcheval.report import render_check, render_checks

    if name is not None:
        click.echo(render_check(name, find_check(name)))
        return
    found = {}
    for each in check_names():
        try:
            found[each] = find_check(each)
        except CheckImportError as error:  # a broken package hides no other check
            click.echo(f"Warning: {error}", err=True)
    click.echo(render_checks(found))
