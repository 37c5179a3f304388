"""`batcheval formats`: the layouts that are read."""

import click


@click.command()
def formats() -> None:
    """List the layouts of traces that are recognised, by the names that --format takes."""
    from batcheval.readers import layouts
    from batcheval.report import render_formats

    titles = {name: layout.title for name, layout in layouts().items()}
    titles["native"] = "Our own: an object a trace, its keys the columns of the canonical table"
    click.echo(render_formats(titles))
