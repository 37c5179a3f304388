"""The scores that `batcheval score` is asked for: part by part, or of a choice of traces."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from batcheval.cli.asked import Options
from batcheval.cli.reading import how_to_read, log_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from batcheval.parts import Parts
    from batcheval.scorer import Scorer
    from batcheval.suite import Suite
    from batcheval.writing import Written


def scored(asked: Options, suite: "Suite") -> "Written":
    """Score what is asked, and write it."""
    from batcheval.parts import is_folder, plan_parts, workers_of
    from batcheval.suite import scorers_from_calls

    if is_folder(asked.out) and (asked.limit or asked.sample):
        raise click.UsageError("--limit and --sample need --out to be a file")
    if asked.engine == "ray" and (asked.limit or asked.sample):
        raise click.UsageError("--limit and --sample need --engine local")
    if asked.address and asked.engine != "ray":
        raise click.UsageError("--address needs --engine ray")
    if asked.update and not is_folder(asked.out):
        raise click.UsageError("--update needs --out to be a folder, such as scores/")
    taken = [scorer.id for scorer in suite.scorers]
    scorers = [*suite.scorers, *scorers_from_calls(asked.check, taken, Path.cwd())]
    keep = _kept(asked, suite)
    how = {
        "keep": keep,
        "details": asked.details,
        "reasons": asked.reasons,
        "long": asked.long,
        "suite": suite.text,
    }
    parts = plan_parts(
        *asked.traces,
        run=asked.reading["run"],
        columns=columns_of(asked.where, scorers, keep),
        where=asked.where,
        log=log_of(asked.reading),
        **how_to_read(asked.reading),
    )
    several = workers_of(parts, asked.workers) > 1 and not (asked.limit or asked.sample)
    if is_folder(asked.out) or asked.engine == "ray" or several:
        return _by_parts(asked, parts, scorers, how)
    return _as_one(asked, parts, scorers, how)


def _kept(asked: Options, suite: "Suite") -> list[str]:
    from batcheval.errors import BadArgumentError
    from batcheval.suite import slicing_columns

    by = [*asked.by, *slicing_columns(suite.gates)]
    if made := [name for name in by if name == "tool" or name.startswith("length(")]:
        wanted = "a column or a path; tools and lengths are for `compare` and `report`"
        raise BadArgumentError("by", wanted, made[0])
    return list(dict.fromkeys([*asked.keep, *by]))


def columns_of(where: str | None, scorers: "Sequence[Scorer]", keep: "Sequence[str]") -> set[str]:
    """All columns that are asked for, which the first records may lack."""
    from batcheval.conditions import predicate
    from batcheval.scorer import roots

    condition = [] if where is None else [predicate(where)]
    return {*keep, *roots(condition), *(c for s in scorers for c in s.columns)}


def _by_parts(
    asked: Options, parts: "Parts", scorers: "Sequence[Scorer]", how: dict[str, Any]
) -> "Written":
    from batcheval.cli.progress import progress_of_parts
    from batcheval.parts import ray, score_parts

    how |= {"engine": ray(asked.address) if asked.engine == "ray" else "local"}
    how |= {"workers": asked.workers, "update": asked.update}
    with progress_of_parts(parts.size, asked.quiet) as on_bytes:
        return score_parts(parts, scorers, asked.out, on_bytes=on_bytes, **how)


def _as_one(
    asked: Options, parts: "Parts", scorers: "Sequence[Scorer]", how: dict[str, Any]
) -> "Written":
    """Score in this process, which alone can choose the first traces, or a random sample."""
    from batcheval.cli.progress import progress
    from batcheval.selection import sample
    from batcheval.writing import write_scores

    traces, log = parts.traces, parts.log
    if asked.sample:
        traces = sample(traces, asked.sample, asked.seed)
    if asked.limit:
        traces = traces.head(asked.limit)
    with progress(log, asked.quiet) as on_rows:
        return write_scores(traces, scorers, asked.out, log=log, on_rows=on_rows, **how)
