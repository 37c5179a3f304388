"""`write_traces`: any traces as the canonical table, in one file."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias

import polars as pl

from batcheval import __version__
from batcheval.errors import (
    BadArgumentError,
    ExistingFileError,
    NotCanonicalError,
    NoTracesError,
    quoted,
)
from batcheval.output import Quarantine, writer_for
from batcheval.readers import ReadLog, read_traces
from batcheval.readers.detect import kind_of
from batcheval.repeats import RepeatedIds
from batcheval.schema import CANONICAL, IDENTITY, Frame, canonical
from batcheval.stores import Place, is_there, located, options_of
from batcheval.writing.apart import require_apart
from batcheval.writing.counts import looked_up
from batcheval.writing.streaming import counted, frames_of, what_there_was

Existing: TypeAlias = Literal["refuse", "append", "overwrite"]

_ROWS = 8_192  # of a row group, which memory holds: texts are long


class Converted(NamedTuple):
    """What was written.

    Attributes:
        path: the file.
        counts: as in `Written`, but with `written` for `scored`: the traces in the file.
        quarantine: the file of the lines that were set aside, or None.
    """

    path: Place
    counts: dict[str, Any]
    quarantine: Place | None


def write_traces(
    traces: Frame,
    out: str | Place,
    *,
    existing: Existing = "refuse",
    log: ReadLog | None = None,
    on_rows: Callable[[int], None] | None = None,
) -> Converted:
    """Write traces as the canonical table, streaming; the file is there whole or not at all.

    Scoring it later runs at the speed of Parquet. `source` and `line` still tell where each trace
    came from.

    Args:
        traces: as for `score`.
        out: a path or address that ends in `.parquet`, `.jsonl`, `.ndjson` or `.csv`.
        existing: what to do with a file that is there: `"refuse"`, `"append"` the traces behind
            those in it (a Parquet file of canonical traces), or `"overwrite"` it.
        log: the one given to `read_traces`, so that its counts are known.
        on_rows: told how many more rows have been written.

    Raises:
        NotCanonicalError: the file to append to is no Parquet file with a canonical table.
        ExistingFileError: there is a file at `out`, and it is neither to be appended to nor
            overwritten.
        OutputIsInputError: `out` is one of the files of traces.
        NoTracesError: there was nothing to write.
        UnwritablePathError: no file can stand at `out`.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> traces = pl.DataFrame({"trace_id": ["a"], "output": ["Sunny."]})
        >>> with TemporaryDirectory() as folder:
        ...     path = write_traces(traces, f"{folder}/canonical.parquet").path
        ...     pl.read_parquet(path)["output"].to_list()
        ['Sunny.']
    """
    if existing not in ("refuse", "append", "overwrite"):
        raise BadArgumentError("existing", "refuse, append or overwrite", existing)
    log, path = ReadLog() if log is None else log, located(out)
    there = is_there(path)
    if there and existing == "refuse":
        raise ExistingFileError(path)
    log.restart()
    require_apart(path, log)
    new = canonical(traces, log.lose)
    old = _old(path) if there and existing == "append" else None
    before = 0 if old is None else int(old.select(pl.len()).collect().item())
    # Each keeps columns of its own.
    table = new if old is None else pl.concat([old, new], how="diagonal_relaxed")
    with Quarantine(path, appending=there and existing == "append") as quarantine:
        log.on_quarantine = quarantine.add
        counts = _written(table, path, before, log, on_rows or (lambda rows: None))
    shown = looked_up(counts, lambda: read_traces(str(path), format="native"))
    return Converted(path, shown, quarantine.written)


def _old(path: Place) -> pl.LazyFrame:
    """The traces that are in a file already, which must hold a canonical table and nothing else."""
    if kind_of(str(path)) != "parquet":
        raise NotCanonicalError(path, "it is no Parquet file")
    schema = pl.scan_parquet(
        str(path), glob=False, storage_options=options_of(path)
    ).collect_schema()
    apart = [name for name, dtype in CANONICAL.items() if schema.get(name) != dtype]
    if apart:
        raise NotCanonicalError(path, f"its {quoted(apart[:3])} are missing or of another type")
    return read_traces(str(path), format="native")


def _written(
    table: pl.LazyFrame, path: Place, before: int, log: ReadLog, on_rows: Callable[[int], None]
) -> dict[str, Any]:
    silent: list[int] = []
    with (
        RepeatedIds() as ids,
        writer_for(path, table.collect_schema(), group_rows=_ROWS) as writer,
    ):
        for frame in frames_of(table, log):
            silent.append(int((frame["output"] == "").sum()))
            ids.add(frame.select(IDENTITY))
            writer.write(frame)
            on_rows(frame.height)
        log.close()
        if not writer.rows:
            raise NoTracesError(log.sources or ["the table"], what_there_was(log))
        counts = counted(log, writer.rows - before, sum(silent), ids.find())
        writer.finish({"version": __version__, "traces": writer.rows})
    del counts["scored"]
    return {**counts, "written": writer.rows}
