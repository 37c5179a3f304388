"""Files in, one canonical LazyFrame out, of which only what is needed is ever decoded."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from batcheval.errors import NoTracesError, UnknownLayoutError, quoted
from batcheval.readers.detect import Kind, kind_of
from batcheval.readers.log import ReadLog
from batcheval.readers.paths import Source, sources_of
from batcheval.readers.records import scan_records
from batcheval.readers.sample import Sample, joined, sample
from batcheval.readers.tables import IS_TABLE, kind_of_address, scan_table
from batcheval.schema import CANONICAL, root
from batcheval.schema.shapes import is_usable


def read_traces(
    *paths: str | Path,
    run: str | None = None,
    columns: Collection[str] = (),
    log: ReadLog | None = None,
) -> pl.LazyFrame:
    """Read traces into the canonical table, lazily.

    Columns and filters of what is done with the result reach the files: what is not needed is not
    decoded. Other columns of the dump ride along behind the canonical ones: those found in the
    first 1,000 records of each file, and `columns`.

    Args:
        paths: JSONL (also a JSON array or object, gzip or zstd, UTF-16), Parquet, Arrow or CSV;
            files, folders, patterns, `-` for standard input, or addresses such as `s3://...` of
            tables. What a file is, its content tells.
        run: the experiment run that all these traces belong to.
        columns: further columns to look for, though the first records may lack them.
        log: where lines, repairs and bad lines are counted; see `ReadLog`.

    Returns:
        A row a trace, in the order of the paths.

    Raises:
        MissingFileError: a path that is not there.
        NoFilesError: a folder or pattern without files.
        UnreadableFileError: a file that is damaged or of another kind.
        UnknownLayoutError: a named file without any column that a trace could have; such files in
            folders and patterns are passed over, which the log tells.
        NoTracesError: there is no file that could hold traces.

    Example:
        >>> read_traces("sample_traces/support_agent.jsonl").select("run").unique().collect().height
        2
    """
    log = ReadLog() if log is None else log
    found = [file for source in sources_of(paths) if (file := _looked_at(source, log))]
    if not found:
        raise NoTracesError(map(str, paths), f"passed over {quoted(log.passed_over)}")
    log.sources += [file.source.name for file in found]
    schema = _schema_of_records(found, columns, log)
    frames = [_scan(group, schema, log) for group in _grouped(found)]
    traces = frames[0] if len(frames) == 1 else pl.concat(frames, how="diagonal_relaxed")
    return traces if run is None else traces.with_columns(pl.lit(run).alias("run"))


class _File(NamedTuple):
    """A file, looked at: either a table, or a sample of its records."""

    source: Source
    kind: Kind
    table: pl.LazyFrame | None = None
    sample: Sample | None = None


def _looked_at(source: Source, log: ReadLog) -> _File | None:
    """What a file holds; None for one of a folder's that holds no traces, which the log tells."""
    kind = kind_of_address(source.path) if source.is_address else kind_of(source.path)
    try:
        if kind in IS_TABLE:
            return _File(source, kind, table=scan_table(source.name, source.path, kind, log))
        return _File(source, kind, sample=sample(source.name, source.path, kind))
    except UnknownLayoutError:
        if source.is_named:
            raise
        log.passed_over.append(source.name)
        return None


def _schema_of_records(
    found: Sequence[_File], columns: Collection[str], log: ReadLog
) -> dict[str, pl.DataType]:
    """The canonical columns and those of the records' own."""
    samples = [file.sample for file in found if file.sample is not None]
    own = joined(samples)
    if not all(sample.is_whole for sample in samples):
        known = CANONICAL | own
        late = set(filter(is_usable, (root(name, known) for name in columns))) - known.keys()
        log.unseen |= late
        log.seen |= CANONICAL.keys() | own.keys()
        own |= dict.fromkeys(sorted(late), pl.String())
    return CANONICAL | own


def _grouped(found: Sequence[_File]) -> Iterator[list[_File]]:
    """Neighbouring files of records together, every table for itself."""
    group: list[_File] = []
    for file in found:
        if group and (file.table is not None or group[-1].table is not None):
            yield group
            group = []
        group.append(file)
    yield group


def _scan(group: list[_File], schema: Mapping[str, pl.DataType], log: ReadLog) -> pl.LazyFrame:
    if group[0].table is not None:
        return group[0].table
    log.record_files += [file.source.path for file in group]
    return scan_records([(file.source, file.kind) for file in group], schema, log)
