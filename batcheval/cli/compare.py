"""`batcheval compare`: is the new run better, and where did it get worse?"""

from typing import Any

import click

from batcheval.cli.changes import require_apart, written
from batcheval.cli.formatting import form_option
from batcheval.cli.reading import reading_options, traces_of
from batcheval.cli.reporting import Besides, besides_options, write_changes
from batcheval.cli.runs import Scoring, opened_runs
from batcheval.cli.searching import searched
from batcheval.cli.verdict import end_by, judged


@click.command()
@click.argument("base")
@click.argument("candidates", nargs=-1, required=True)
@click.option("--key", multiple=True, help="A column that pairs the rows; may be given again.")
@click.option("--by", multiple=True, help="Tell each value of this column apart, e.g. model.")
@click.option("--find-slices", is_flag=True, help="Search slices for the worst regressions.")
@click.option("--slices-from", multiple=True, help="A column to search; again for more.")
@click.option("--min-size", type=click.IntRange(2), help="Of pairs in a slice [searched: 30].")
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
@click.option("-s", "--suite", type=click.Path(), help="It scores traces; its gates judge.")
@click.option("--traces", multiple=True, help="Where to look up what the scores do not hold.")
@click.option("--keep-scores", type=click.Path(), help="A folder for the scores made of traces.")
@click.option("--regressions", type=click.Path(), help="A file for the pairs that changed.")
@click.option(
    "--regression-by",
    type=click.Choice(["estimate", "interval"]),
    default="estimate",
    show_default=True,
    help="What such a gate goes by: the difference, or the worse end of its interval.",
)
@form_option
@besides_options
@reading_options("--layout")
def compare(
    base: str,
    candidates: tuple[str, ...],
    key: tuple[str, ...],
    by: tuple[str, ...],
    form: str,
    find_slices: bool,
    slices_from: tuple[str, ...],
    min_size: int | None,
    suite: str | None,
    traces: tuple[str, ...],
    keep_scores: str | None,
    regressions: str | None,
    regression_by: str,
    besides: Besides,
    reading: dict[str, Any],
    **options: Any,
) -> None:
    """Compare CANDIDATES with BASE, pair by pair.

    Each is a file of scores, a folder of them, or FILE@RUN for one run within a file; or it is
    traces, named likewise, which are scored by the suite first.
    """
    from batcheval.comparing import compare_many
    from batcheval.findings import look_at_comparison
    from batcheval.report import render_comparison
    from batcheval.suite import Suite, load_suite, slicing_columns

    besides.require()
    judged_by = load_suite(suite) if suite else Suite([])
    columns = [*by, *slicing_columns(judged_by.gates)]
    if regressions and len(candidates) > 1:
        raise click.UsageError("--regressions takes one candidate")
    scoring = Scoring(judged_by, suite, keep_scores, bool(regressions), reading)
    with opened_runs([base, *candidates], scoring) as runs:
        wanted = [*columns, *slices_from]
        table = traces_of(traces, wanted, reading)[0] if traces else None
        options |= {"key": key or None, "traces": table}
        found = compare_many(runs[0], runs[1:], by=columns, **options)
        if find_slices or slices_from:
            found = searched(runs, found, slices_from, min_size, options)
        if regressions:
            require_apart(regressions, [base, *candidates, *traces], runs)
        told = written(regressions, runs, found[0].key, table) if regressions else ""
        both = list(zip(runs[1:], found, strict=True))
        judgements = [judged(one, run, judged_by, regression_by, table) for run, one in both]
        if min_size:
            found = [one.without_small_slices(min_size) for one in found]
            both = list(zip(runs[1:], found, strict=True))
        if any(besides):
            changes = [look_at_comparison(runs[0], run, one, traces=table) for run, one in both]
            write_changes(changes, judgements, besides)
    pages = [
        render_comparison(one, form, judgement)  # type: ignore[arg-type]
        for one, judgement in zip(found, judgements, strict=True)
    ]
    if form == "json":
        click.echo(f"[{','.join(pages)}]" if len(pages) > 1 else pages[0])
    else:
        click.echo("\n\n".join(pages))
    besides.tell(err=True)
    if told:
        click.echo(told, err=form != "text")
    end_by(judgements)
