"""`batcheval compare`: is the new run better, and where did it get worse?"""

from typing import TYPE_CHECKING, Any

import click

from batcheval.cli.reporting import Besides, besides_options, format_option
from batcheval.cli.score import GATE_MISSED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from batcheval.comparing import Comparison
    from batcheval.judging import Judgement


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
@format_option
@besides_options
def compare(
    base: str,
    candidates: tuple[str, ...],
    key: tuple[str, ...],
    by: tuple[str, ...],
    form: str,
    suite: str | None,
    regression_by: Any,
    besides: Besides,
    **options: Any,
) -> None:
    """Compare the scores of CANDIDATES with those of BASE, pair by pair.

    Each is a file of scores, a folder of them, or FILE@RUN for one run within a file.
    """
    from batcheval.comparing import compare_many
    from batcheval.judging import judge_regressions
    from batcheval.report import render_comparison
    from batcheval.suite import Suite, load_suite

    besides.require()
    gates = (load_suite(suite) if suite else Suite([])).gates
    found = compare_many(base, candidates, key=key or None, by=by, **options)
    judged = [judge_regressions(one.scorers, gates, regression_by) for one in found]
    if any(besides):
        _write(base, candidates, found, judged, besides)
    pages = [
        render_comparison(one, form, judgement)  # type: ignore[arg-type]
        for one, judgement in zip(found, judged, strict=True)
    ]
    if form == "json":
        click.echo(f"[{','.join(pages)}]" if len(pages) > 1 else pages[0])
    else:
        click.echo("\n\n".join(pages))
    besides.tell(err=True)
    _tell(judged)


def _write(
    base: str,
    candidates: "Sequence[str]",
    found: "Sequence[Comparison]",
    judged: "Sequence[Judgement]",
    besides: Besides,
) -> None:
    from batcheval.findings import look_at_comparison
    from batcheval.report.page import comparison_page, write_text

    changes = [
        look_at_comparison(base, candidate, one)
        for candidate, one in zip(candidates, found, strict=True)
    ]
    if besides.report is not None:
        write_text(besides.report, comparison_page(changes, judged))
    if besides.junit is not None:
        from batcheval.report.junit import comparison_junit

        write_text(besides.junit, comparison_junit(changes, judged))


def _tell(judged: "Sequence[Judgement]") -> None:
    from batcheval.report import gate_lines

    for one in judged:
        if one.gates:
            click.echo("\n".join(gate_lines(one)), err=True)
    if any(one.verdict not in (None, "passed") for one in judged):
        raise click.exceptions.Exit(GATE_MISSED)
