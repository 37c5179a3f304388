"""What was asked of `batcheval score`."""

from typing import Any, NamedTuple

import click

from batcheval.cli.formatting import PRINTED
from batcheval.cli.reporting import Besides


class Options(NamedTuple):
    """What was asked on the command line."""

    traces: tuple[str, ...]
    suite: str | None
    out: str
    check: tuple[str, ...]
    keep: tuple[str, ...]
    where: str | None
    limit: int | None
    sample: int | None
    seed: int
    details: bool
    reasons: bool
    long: bool
    quiet: bool
    by: tuple[str, ...]
    min_size: int | None
    update: bool
    workers: int | None
    engine: str
    address: str | None
    form: str
    besides: Besides
    reading: dict[str, Any]


def options_of(options: dict[str, Any]) -> Options:
    """The options, where `--format` has said how to print, or which layout the traces have."""
    form, reading = options["form"] or "text", options["reading"]
    if form not in PRINTED:
        if reading["layout"] not in (None, form):
            raise click.UsageError("--format and --layout name two layouts")
        reading, form = reading | {"layout": form}, "text"
    return Options(**options | {"form": form, "reading": reading})
