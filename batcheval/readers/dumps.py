"""What some paths hold, looked at and not yet read."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from batcheval.errors import NoTracesError, quoted
from batcheval.readers.files import File, looked_at
from batcheval.readers.log import ReadLog
from batcheval.readers.partitions import keyed, may_hold, with_keys
from batcheval.readers.paths import sources_of
from batcheval.readers.records import scan_records, scan_translated
from batcheval.readers.sample import joined
from batcheval.schema import CANONICAL, root
from batcheval.schema.shapes import is_usable


class Dump(NamedTuple):
    """Files of traces, looked at.

    Attributes:
        groups: the files in order, neighbours of one kind together.
        schema: the columns of records.
        is_told: whether somebody said which layout they have.
    """

    groups: list[list[File]]
    schema: Mapping[str, pl.DataType]
    is_told: bool

    def scan(self, log: ReadLog) -> pl.LazyFrame:
        """All of them as one table, canonical but for the types of a table's own columns."""
        frames = [scan_group(group, self.schema, log, self.is_told) for group in self.groups]
        return frames[0] if len(frames) == 1 else pl.concat(frames, how="diagonal_relaxed")


def look(
    paths: Iterable[str | Path],
    columns: Collection[str],
    format: str | None,
    log: ReadLog,
    where: str | None = None,
) -> Dump:
    """Look at files as `read_traces` does, which tells of the arguments and the errors.

    Those whose keys exclude that any trace satisfies `where`, a SQL condition, are not opened.
    """
    paths = [*paths]
    sources = with_keys(sources_of(paths))
    columns = {*columns} - {key for source in sources for key, _ in source.keys}
    chosen = sources if where is None else [s for s in sources if may_hold(dict(s.keys), where)]
    # One is looked at all the same, which tells what columns there would be.
    found = [file for source in chosen or sources[:1] if (file := looked_at(source, format, log))]
    if not found:
        raise NoTracesError(map(str, paths), f"passed over {quoted(log.passed_over)}")
    log.sources += [file.source.name for file in found]
    schema = _schema_of_records(found, columns, log)
    return Dump([*_grouped(found)], schema, format is not None)


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


def scan_group(
    group: list[File],
    schema: Mapping[str, pl.DataType],
    log: ReadLog,
    is_told: bool,
    is_apart: bool = False,
) -> pl.LazyFrame:
    """Files that `grouped` has put together, as one table."""
    traces = _scanned(group, schema, log, is_told, is_apart)
    return keyed(traces, [file.source for file in group])


def _scanned(
    group: list[File],
    schema: Mapping[str, pl.DataType],
    log: ReadLog,
    is_told: bool,
    is_apart: bool,
) -> pl.LazyFrame:
    if group[0].table is not None:
        return group[0].table
    log.record_bytes += sum(file.source.size for file in group)
    others = [(file.source, file.kind, file.layout) for file in group if file.layout is not None]
    if others:
        return scan_translated(others, schema, log, is_told, is_apart)
    native = [(file.source, file.kind, bool(file.sample and file.sample.is_ours)) for file in group]
    return scan_records(native, schema, log)
