"""`batcheval score`: traces and a suite in, a file of scores and a summary out."""

import os
from typing import TYPE_CHECKING, Any

import click

from batcheval.cli.asked import Options, options_of
from batcheval.cli.reading import how_to_read, reading_options
from batcheval.cli.reporting import besides_options, write_run
from batcheval.cli.scoring import scored

if TYPE_CHECKING:
    from batcheval.findings import RunFindings
    from batcheval.judging import Judgement
    from batcheval.suite import Suite
    from batcheval.writing import Written


_MOST = 2**32 - 1  # rows that polars counts
GATE_MISSED = 1  # the exit code


@click.command()
@click.argument("traces", nargs=-1, required=True)
@click.option("-s", "--suite", type=click.Path(), help="The scorers, in TOML or JSON.")
@click.option("-o", "--out", required=True, type=click.Path(), help="X.parquet, .jsonl, .csv, X/.")
@click.option("-c", "--check", multiple=True, help="One more check, e.g. 'includes(\"sunny\")'.")
@click.option("--keep", multiple=True, help="A column or path to carry over, e.g. metadata.city.")
@click.option("--where", help="A SQL condition on traces, e.g. \"model = 'm-large'\".")
@click.option("--limit", type=click.IntRange(1, _MOST), help="Score the first N traces only.")
@click.option("--sample", type=click.IntRange(1, _MOST), help="Score N traces chosen at random.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random sample.")
@click.option("--details", is_flag=True, help="Write <id>_details, the evidence.")
@click.option("--reasons", is_flag=True, help="Write <id>_reason, a sentence.")
@click.option("--long", is_flag=True, help="Write a row for each trace and scorer.")
@click.option("--by", multiple=True, help="A column to keep, told apart in the report.")
@click.option("--min-size", type=click.IntRange(1), help="Slices by a column have so many traces.")
@click.option("--workers", type=click.IntRange(1), help="How many processes score.")
@click.option("--engine", type=click.Choice(["local", "ray"]), default="local", show_default=True)
@click.option("--address", help="Of the Ray cluster; by default one is started here.")
@click.option("--update", is_flag=True, help="In a folder X/: score anew what has changed.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
@click.option("--format", "form", help="text, markdown or json: how to print; or as --layout.")
@besides_options
@reading_options("--layout")
def score(**options: Any) -> None:
    """Score TRACES: files, folders, patterns, addresses, or - for standard input."""
    asked = options_of(options)
    if asked.limit and asked.sample:
        raise click.UsageError("--limit and --sample exclude each other")
    if asked.min_size and not asked.by:
        raise click.UsageError("--min-size is of the slices of --by, which is not given")
    if not asked.suite and not asked.check:
        raise click.UsageError("nothing to check: give --suite or --check")
    if asked.suite and os.path.realpath(asked.suite) == os.path.realpath(asked.out):
        raise click.UsageError(f"'{asked.out}' is the suite; the scores need another name")
    asked.besides.require()
    suite = _suite(asked)
    written = scored(asked, suite)
    judgement = _judgement(written, suite)
    if any(asked.besides):
        found = _looked_at(asked, written, suite, judgement)
        write_run(found, asked.besides)
    _tell(asked, written, judgement)
    if judgement.verdict not in (None, "passed"):
        raise click.exceptions.Exit(GATE_MISSED)


def _suite(asked: Options) -> "Suite":
    from batcheval.suite import Suite, load_suite

    return load_suite(asked.suite) if asked.suite else Suite([])


def _judgement(written: "Written", suite: "Suite") -> "Judgement":
    from batcheval.judging import judge
    from batcheval.suite import slicing_columns
    from batcheval.summary import summarize_by

    by = slicing_columns(suite.gates)
    slices = summarize_by(written.path, by, [*suite.gates]) if by else None
    return judge(written.summary, suite.gates, slices)


def _looked_at(
    asked: Options, written: "Written", suite: "Suite", judgement: "Judgement"
) -> "RunFindings":
    from dataclasses import replace

    from batcheval.comparing import open_run
    from batcheval.findings import look_at_run

    run = replace(open_run(written.path, "the scores"), reading=how_to_read(asked.reading))
    options = {"counts": written.counts, "suite": suite.text, "judgement": judgement}
    return look_at_run(run, by=asked.by, min_size=asked.min_size or 0, **options)  # type: ignore[arg-type]


def _tell(asked: Options, written: "Written", judgement: "Judgement") -> None:
    from batcheval.report import gate_lines, render

    in_text = asked.form == "text"
    if not asked.quiet:
        page = render(written.summary, written.counts, asked.form, judgement)  # type: ignore[arg-type]
        click.echo(page)
        click.echo(f"scores: {written.path}", err=not in_text)
        if written.quarantine:
            click.echo(f"lines set aside: {written.quarantine}", err=not in_text)
        asked.besides.tell(err=not in_text)
    elif judgement.verdict == "passed":
        return
    if judgement.gates and (in_text or asked.quiet):
        click.echo("\n".join(gate_lines(judgement)))
