"""`batcheval compare`: is the new run better, and where did it get worse?"""

from typing import TYPE_CHECKING, Any

import click

from batcheval.cli.formatting import form_option
from batcheval.cli.score import GATE_MISSED

if TYPE_CHECKING:
    import polars as pl


@click.command()
@click.argument("base")
@click.argument("candidates", nargs=-1, required=True)
@click.option("--key", multiple=True, help="A column that pairs the rows; may be given again.")
@click.option("--by", multiple=True, help="Tell each value of this column apart, e.g. model.")
@click.option("--cluster", help="A column whose equal values do not vary independently.")
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
    default=10_000,
    show_default=True,
    help="Of the bootstrap; 0 takes intervals from the standard error.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the bootstrap.")
@click.option("-s", "--suite", type=click.Path(), help="Whose max_regression gates are judged.")
@click.option(
    "--regression-by",
    type=click.Choice(["estimate", "interval"]),
    default="estimate",
    show_default=True,
    help="What such a gate goes by: the difference, or the worse end of its interval.",
)
@form_option
def compare(
    base: str,
    candidates: tuple[str, ...],
    key: tuple[str, ...],
    by: tuple[str, ...],
    form: str,
    suite: str | None,
    regression_by: str,
    **options: Any,
) -> None:
    """Compare the scores of CANDIDATES with those of BASE, pair by pair.

    Each is a file of scores, a folder of them, or FILE@RUN for one run within a file.
    """
    from batcheval.comparing import compare_many
    from batcheval.report import render_comparison

    found = compare_many(base, candidates, key=key or None, by=by, **options)
    pages = [render_comparison(one, form) for one in found]  # type: ignore[arg-type]
    if form == "json":
        click.echo(f"[{','.join(pages)}]" if len(pages) > 1 else pages[0])
    else:
        click.echo("\n\n".join(pages))
    if suite:
        _judge(suite, [one.scorers for one in found], regression_by)


def _judge(suite: str, tables: "list[pl.DataFrame]", by: str) -> None:
    from batcheval.judging import judge_regressions
    from batcheval.report import gate_lines
    from batcheval.suite import load_suite

    gates = load_suite(suite).gates
    judged = [judge_regressions(table, gates, by) for table in tables]  # type: ignore[arg-type]
    for one in judged:
        click.echo("\n".join(gate_lines(one)), err=True)
    if any(one.verdict not in (None, "passed") for one in judged):
        raise click.exceptions.Exit(GATE_MISSED)
