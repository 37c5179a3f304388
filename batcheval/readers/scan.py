"""Files in, one canonical LazyFrame out, of which only what is needed is ever decoded."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl

from batcheval.errors import NoTracesError, quoted
from batcheval.readers.files import File, looked_at
from batcheval.readers.log import ReadLog
from batcheval.readers.paths import sources_of
from batcheval.readers.records import scan_records, scan_translated
from batcheval.readers.rules import Rules
from batcheval.readers.sample import joined
from batcheval.schema import CANONICAL, root
from batcheval.schema.shapes import is_usable


def read_traces(
    *paths: str | Path,
    run: str | None = None,
    columns: Collection[str] = (),
    format: str | None = None,
    rules: Rules | None = None,
    log: ReadLog | None = None,
) -> pl.LazyFrame:
    """Read traces into the canonical table, lazily.

    Columns and filters of what is done with the result reach the files: what is not needed is not
    decoded. Other columns of the dump ride along behind the canonical ones: those found in the
    first 1,000 records of each file, and `columns`.

    Args:
        paths: JSONL (also a JSON array or object, gzip or zstd, UTF-16), Parquet, Arrow or CSV;
            files, folders, patterns, `-` for standard input, or addresses (`s3://`, `gs://`,
            `az://`, also of folders and patterns; `https://`). What a file is, its content tells.
        run: the experiment run that all these traces belong to.
        columns: further columns to look for, though the first records may lack them.
        format: the layout of all these files: its name (`"native"`, or one that `batcheval formats`
            lists), a mapping file that ends in `.toml`, or `"module:function"`; by default each
            file's own, told by its first records.
        rules: choices that layouts leave; see `Rules`.
        log: where lines, repairs and bad lines are counted; see `ReadLog`.

    Returns:
        A row a trace, in the order of the paths.

    Raises:
        MissingFileError: a path that is not there.
        NoFilesError: a folder or pattern without files.
        StoreFailedError: a store does not answer; and others that tell what keeps it from that.
        UnreadableFileError: a file that is damaged or of another kind.
        UnknownLayoutError: a named file without any column that a trace could have; such files in
            folders and patterns are passed over, which the log tells.
        AmbiguousLayoutError: a file whose records have the marks of several layouts.
        UnknownFormatError: there is no layout called `format`.
        WrongFormatError: a named file's first records are not of the layout `format`.
        BadMappingError: the mapping file or function cannot be used.
        NoTracesError: there is no file that could hold traces.

    Example:
        >>> read_traces("sample_traces/support_agent.jsonl").select("run").unique().collect().height
        2
    """
    log = ReadLog() if log is None else log
    found = [file for source in sources_of(paths) if (file := looked_at(source, format, log))]
    if not found:
        raise NoTracesError(map(str, paths), f"passed over {quoted(log.passed_over)}")
    log.sources += [file.source.name for file in found]
    schema = _schema_of_records(found, columns, log)
    frames = [_scan(group, schema, log, format is not None) for group in _grouped(found)]
    traces = frames[0] if len(frames) == 1 else pl.concat(frames, how="diagonal_relaxed")
    traces = traces if rules is None else rules.apply(traces, log)
    return traces if run is None else traces.with_columns(pl.lit(run).alias("run"))


def _schema_of_records(
    found: Sequence[File], columns: Collection[str], log: ReadLog
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


def _grouped(found: Sequence[File]) -> Iterator[list[File]]:
    """Neighbouring files of native records together, and all of other layouts; tables apart."""
    others = [file for file in found if file.layout is not None]
    group: list[File] = []
    for file in found:
        if file.layout is not None and file is not others[0]:
            continue
        if group and (file.sample is None or group[-1].sample is None):
            yield group
            group = []
        group = others if file.layout is not None else [*group, file]
    yield group


def _scan(
    group: list[File], schema: Mapping[str, pl.DataType], log: ReadLog, is_told: bool
) -> pl.LazyFrame:
    if group[0].table is not None:
        return group[0].table
    log.record_bytes += sum(file.source.size for file in group)
    others = [(file.source, file.kind, file.layout) for file in group if file.layout is not None]
    if others:
        return scan_translated(others, schema, log, is_told)
    native = [(file.source, file.kind, bool(file.sample and file.sample.is_ours)) for file in group]
    return scan_records(native, schema, log)
