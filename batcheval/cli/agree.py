"""`batcheval agree`: do the checks agree with people?"""

from typing import Any

import click

from batcheval.cli.formatting import form_option


@click.command()
@click.argument("scores")
@click.option("--label", required=True, help="The column of the labels, e.g. labels.correct.")
@click.option("--scorer", "scorers", multiple=True, help="Its id; may be given again [all].")
@click.option("--traces", multiple=True, help="Where to read labels that the scores lack.")
@click.option("--layout", help="The layout of these traces, if it is not to be guessed.")
@click.option("--positive", multiple=True, help="A label that is good; the others are bad.")
@click.option("--above", type=float, help="Labels are numbers, and good above this one.")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.5,
    show_default=True,
    help="A score of at least this passes.",
)
@click.option("--cluster", help="A column whose equal values go together [task_id].")
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Of the intervals.",
)
@click.option(
    "--resamples",
    type=click.IntRange(0),
    default=1_000,
    show_default=True,
    help="Of the bootstrap of the best threshold; 0 for no interval.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the bootstrap.")
@form_option
def agree(
    scores: str,
    label: str,
    scorers: tuple[str, ...],
    traces: tuple[str, ...],
    layout: str | None,
    form: str,
    **options: Any,
) -> None:
    """Hold SCORES against human labels: agreement, kappa, precision, recall, F1, AUROC.

    SCORES is a file of scores, a folder of them, or FILE@RUN for one run within a file.
    """
    from batcheval.agreeing import agree as held_against
    from batcheval.readers import read_traces
    from batcheval.report import render_agreement

    if traces:
        options["traces"] = read_traces(*traces, columns=[label], format=layout)
    found = held_against(scores, label, scorers or None, **options)
    click.echo(render_agreement(found, form))  # type: ignore[arg-type]
