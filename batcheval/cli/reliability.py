"""`batcheval reliability`: does the agent succeed every time, or just sometimes?"""

from typing import Any

import click

from batcheval.cli.formatting import form_option

_MOST = 1_000_000  # trials of a task


class Counts(click.ParamType[list[int]]):
    """`1,2,4`."""

    name = "N,N,…"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> list[int]:
        try:
            counts = [int(text) for text in str(value).split(",")]
        except ValueError:
            counts = [0]
        if min(counts) < 1 or max(counts) > _MOST:
            numbers = f"whole numbers from 1 to {_MOST:,}, such as 1,2,4"
            self.fail(f"{value!r} is no list of {numbers}", param, ctx)
        return counts


@click.command()
@click.argument("scores")
@click.option("--scorer", "scorers", multiple=True, help="Its id; may be given again [all].")
@click.option("--k", type=Counts(), help="Numbers of trials, such as 1,2,4 [1, 2, 4, 8, …].")
@click.option("--task", help="The column that tells the tasks [task_id].")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1, min_open=True),
    default=1.0,
    show_default=True,
    help="A trial succeeds with a score of at least this.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Of the intervals.",
)
@click.option(
    "--flakiest",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    help="How many of the flakiest tasks to show of each scorer.",
)
@form_option
def reliability(
    scores: str, scorers: tuple[str, ...], form: str, flakiest: int, **options: Any
) -> None:
    """Tell how reliable SCORES are over repeated trials of tasks: pass@k, pass^k, flaky tasks.

    SCORES is a file of scores, a folder of them, or FILE@RUN for one run within a file.
    """
    from batcheval.report import render_reliability
    from batcheval.trials import reliability as measure

    found = measure(scores, scorers or None, **options)
    click.echo(render_reliability(found, form, flakiest))  # type: ignore[arg-type]
