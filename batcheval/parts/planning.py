"""`plan_parts`: any dump cut into parts that are scored one by one, in any process."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from batcheval.parts import cutting
from batcheval.parts.cutting import cuts_of
from batcheval.parts.part import Part, PartFile, Parts, Reading
from batcheval.parts.reach import reach_of
from batcheval.parts.scanning import chosen
from batcheval.readers import ReadLog, Rules
from batcheval.readers.dumps import Dump, look
from batcheval.readers.files import File

_FEW: Final = 100  # files; of more, small ones are put together
_SMALL: Final = 4 << 20  # bytes
_NO_BOUND: Final = 1 << 62


def plan_parts(
    *paths: str | Path,
    run: str | None = None,
    columns: Collection[str] = (),
    format: str | None = None,
    rules: Rules | None = None,
    where: str | None = None,
    log: ReadLog | None = None,
    size: int | None = None,
) -> Parts:
    """Cut a dump into parts; their rows, put together in order, are those of `read_traces`.

    JSONL is cut at line ends, Parquet between row groups; compressed files, JSON documents, CSV and
    Arrow stay whole. So are files of other layouts cut whose records are whole traces, by the look
    of the first; where a trace is a file, each is by itself or with others. Where traces lie in
    several files, or may, all files of other layouts are one part, so that none is torn.

    Args:
        paths: as for `read_traces`.
        run: as for `read_traces`.
        columns: as for `read_traces`.
        format: as for `read_traces`.
        rules: as for `read_traces`.
        log: as for `read_traces`.
        where: a SQL condition on traces; its columns are among `columns` where records may lack
            them.
        size: the bytes of a part, about; by default 32 MB.

    Raises:
        BatchevalError: as `read_traces`.

    Example:
        >>> plan_parts("sample_traces/support_agent.jsonl", size=20_000).parts[1].number
        1
    """
    log, size = ReadLog() if log is None else log, size or cutting.SIZE
    dump = look(paths, columns, format, log, where)
    traces = dump.scan(log)
    schema, asked = dict(traces.collect_schema()), frozenset(log.unseen)
    reading = Reading(dump.schema, schema, asked, dump.is_told, run, rules, where)
    found = enumerate(_files(dump, size))
    parts = [Part(number, files, is_apart) for number, (files, is_apart) in found]
    return Parts(parts, reading, chosen(traces, reading, log), log)


def _files(dump: Dump, size: int) -> Iterator[tuple[tuple[PartFile, ...], bool]]:
    """The files of each part, and whether they are read apart from others of other layouts."""
    least = 0 if sum(map(len, dump.groups)) <= _FEW else min(_SMALL, size)
    for group in dump.groups:
        reaches = [reach_of(file, dump.is_told) for file in group]
        bounds = [size if reach == "record" else _NO_BOUND for reach in reaches]
        cut = [_part_file(file, bound) for file, bound in zip(group, bounds, strict=True)]
        files = [one for some in cut for one in some]
        parts = [tuple(files)] if "dump" in reaches else [*_together(files, least)]
        is_apart = group[0].layout is not None and len(parts) > 1
        yield from ((part, is_apart) for part in parts)


def _part_file(file: File, size: int) -> list[PartFile]:
    layout = file.layout.name if file.layout else None
    is_ours = bool(file.sample and file.sample.is_ours)
    return [
        PartFile(file.source._replace(stretch=cut.stretch), file.kind, layout, is_ours, cut.bytes)
        for cut in cuts_of(file, size)
    ]


def _together(files: list[PartFile], least: int) -> Iterator[tuple[PartFile, ...]]:
    """Neighbours together until they are no longer small."""
    held: list[PartFile] = []
    for file in files:
        held.append(file)
        if sum(one.size for one in held) >= least:
            yield tuple(held)
            held = []
    if held:
        yield tuple(held)
