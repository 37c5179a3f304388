"""Runs on the command line: scores as they are, traces scored first."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from batcheval.cli.reading import how_to_read, traces_of

if TYPE_CHECKING:
    from batcheval.comparing import Run
    from batcheval.suite import Suite


class Scoring(NamedTuple):
    """How traces are scored before they are compared.

    Attributes:
        suite: whose scorers are applied; one without any if none was named.
        path: its file.
        folder: where the scores are kept, or None if they are not.
        evidence: whether details and reasons are written too.
        reading: the options of reading.
    """

    suite: "Suite"
    path: str | None
    folder: str | None
    evidence: bool
    reading: dict[str, Any]


@contextmanager
def opened_runs(sources: Sequence[str], scoring: Scoring) -> "Iterator[list[Run]]":
    """The runs that are named, base first; scores made of traces are there while this lasts."""
    from dataclasses import replace

    from batcheval.comparing import are_scores, open_run

    with TemporaryDirectory(prefix="batcheval-") as temporary:
        folder = Path(scoring.folder or temporary)
        if scoring.folder:
            _make(folder)
        runs = []
        for number, source in enumerate(sources):
            role = "base" if not number else f"candidate{f'-{number}' * (len(sources) > 2)}"
            if are_scores(source):
                run = open_run(source, role)
            else:
                run = _scored(source, folder / f"{role}.parquet", scoring)
            runs.append(replace(run, reading=how_to_read(scoring.reading)))
        yield runs


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"'{folder}' cannot be made: {error.strerror}") from error


def _scored(source: str, out: Path, scoring: Scoring) -> "Run":
    import polars as pl

    from batcheval.cli.progress import progress
    from batcheval.comparing import open_run, split
    from batcheval.errors import NoTracesError, NotScoresError, UnknownRunError
    from batcheval.writing import write_scores

    if not scoring.suite.scorers:
        found = "they are traces, which --suite FILE has scored first"
        raise NotScoresError(f"'{source}'", found)
    file, run = split(source)
    path = str(file) if run is not None else source
    scorers = scoring.suite.scorers
    columns = {name for scorer in scorers for name in scorer.columns}
    traces, log = traces_of([path], columns, scoring.reading)
    chosen = traces if run is None else traces.filter(pl.col("run") == run)
    with progress(log, quiet=False) as on_rows:
        try:
            written = write_scores(
                chosen,
                scorers,
                out,
                details=scoring.evidence,
                reasons=scoring.evidence,
                suite=scoring.suite.text,
                log=log,
                on_rows=on_rows,
            )
        except NoTracesError:
            if run is None or not log.rows:
                raise
            known = traces.select(pl.col("run").drop_nulls().unique(maintain_order=True))
            raise UnknownRunError(path, run, known.collect().to_series().to_list()) from None
    _warn(source, written.counts)
    opened = open_run(out, source)
    return opened.called(f"'{source}' (traces, scored by '{scoring.path}')")


def _warn(source: str, counts: dict[str, Any]) -> None:
    from batcheval.report import count_lines

    for line in count_lines(counts):
        if line.startswith("warning") or counts["quarantined"]:
            click.echo(f"{source}: {line}", err=True)
