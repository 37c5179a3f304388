"""`score_parts`: every part of a dump scored, by any engine, into a folder or one file."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir
from uuid import uuid4

import polars as pl

from batcheval.engine import score
from batcheval.errors import UnwritablePathError
from batcheval.output import writer_for
from batcheval.parts.engines import Engine, engine_of
from batcheval.parts.folder import folder_at, is_folder
from batcheval.parts.gathering import in_order, into_file, into_folder
from batcheval.parts.job import Job, keys_of
from batcheval.parts.part import Parts
from batcheval.parts.scoring import all_scored
from batcheval.readers.processes import workers_for
from batcheval.schema import canonical
from batcheval.scorer import Scorer
from batcheval.selection import where
from batcheval.stores import Address, is_address
from batcheval.writing import Written


def score_parts(
    parts: Parts,
    scorers: Sequence[Scorer],
    out: str | Path,
    *,
    keep: Sequence[str] = (),
    details: bool = False,
    reasons: bool = False,
    long: bool = False,
    suite: str = "",
    engine: str | Engine = "local",
    workers: int | None = None,
    update: bool = False,
    on_bytes: Callable[[int], None] = lambda count: None,
) -> Written:
    """Score every part and write the scores: a file for each part into a folder, or one of all.

    A run into a folder that was broken off goes on where it was, and ends in the same bytes.

    Args:
        parts: as `plan_parts` gives them.
        scorers: as for `score`.
        out: a folder of this machine, whose name ends in a slash; or a file or address, as for
            `write_scores`.
        keep: as for `score`.
        details: as for `score`.
        reasons: as for `score`.
        long: write a row for each trace and scorer instead of a row a trace.
        suite: the text of the suite, kept beside the scores.
        engine: `"local"`; `"ray"`, or `batcheval.parts.ray(address)`, for a Ray cluster; or a
            function as `batcheval.parts.engines` describes it.
        workers: how many processes the local engine uses, 1 for this one; by default one for each
            core where the dump is large enough.
        update: there may be scores of other traces and scorers in the folder. Those that are
            of the same ones stay; the others go.
        on_bytes: told how many more bytes of the dump are done.

    Raises:
        BatchevalError: as `write_scores`.
        BusyFolderError: another run writes into the folder.
        OtherScoresError: there are other scores in the folder, and `update` is not set.
        WorkerDiedError: a process ended before its part was done; the other parts stay.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> from batcheval import checks, plan_parts
        >>> parts = plan_parts("sample_traces/support_agent.jsonl")
        >>> with TemporaryDirectory() as folder:
        ...     written = score_parts(parts, [checks.used_no_tools()], f"{folder}/")
        >>> written.counts["scored"]
        300
    """
    _require_fitting(parts, scorers, keep, details, reasons)
    run = engine_of(engine, workers_of(parts, workers))
    job = Job(
        folder=Path(out),
        reading=parts.reading,
        scorers=list(scorers),
        keep=list(keep),
        details=details,
        reasons=reasons,
        long=long,
        on_bad_line=parts.log.on_bad_line,
        max_bad_lines=parts.log.max_bad_lines,
        keys=keys_of(scorers, parts.reading, details, reasons),
    )
    if is_folder(out):
        _require_here(out)
        with folder_at(Path(out), update) as folder:
            done = all_scored(job, parts, run, folder, on_bytes, stays=True)
            return into_folder(job, parts.log, suite, folder, in_order(done))
    # Else it would be told at the end that no file can stand there.
    place = writer_for(out, pl.Schema()).path
    near = Path(gettempdir(), "_") if isinstance(place, Address) else place.absolute()
    hidden = near.with_name(f".batcheval-{os.getpid()}-{uuid4().hex[:12]}.parts")
    try:
        with folder_at(hidden, False) as folder:
            plain = replace(job, folder=hidden, long=False)
            done = all_scored(plain, parts, run, folder, on_bytes, stays=False)
            return into_file(place, job, parts.log, suite, folder, in_order(done))
    finally:
        rmtree(hidden, ignore_errors=True)


def workers_of(parts: Parts, workers: int | None) -> int:
    """How many processes are worth starting: by default one for each core, if there is much."""
    asked = workers_for(parts.size) if workers is None else workers
    return min(asked, len(parts.parts))


def _require_here(folder: str | Path) -> None:
    if is_address(folder):
        reason = "parts go into folders of this machine; name a file, such as scores.parquet"
        raise UnwritablePathError(folder, reason)


def _require_fitting(
    parts: Parts,
    scorers: Sequence[Scorer],
    keep: Sequence[str],
    details: bool,
    reasons: bool,
) -> None:
    """Let mistakes show before a part is scored."""
    nothing = canonical(pl.LazyFrame(schema=dict(parts.reading.columns)))
    if parts.reading.where is not None:
        nothing = where(nothing, parts.reading.where)
    score(nothing, scorers, keep=keep, details=details, reasons=reasons)
