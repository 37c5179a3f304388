"""Files in, one canonical LazyFrame out, of which only what is needed is ever decoded."""

from collections.abc import Collection
from pathlib import Path

import polars as pl

from batcheval.readers.dumps import look
from batcheval.readers.log import ReadLog
from batcheval.readers.rules import Rules


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
    traces = look(paths, columns, format, log).scan(log)
    traces = traces if rules is None else rules.apply(traces, log)
    return traces if run is None else traces.with_columns(pl.lit(run).alias("run"))
