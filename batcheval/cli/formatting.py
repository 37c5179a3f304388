"""How a report is printed: the option that several commands share."""

from typing import Final

import click

PRINTED: Final = ("text", "markdown", "json")

form_option = click.option(
    "--format",
    "form",
    type=click.Choice(PRINTED),
    default="text",
    show_default=True,
    help="How to print it.",
)
