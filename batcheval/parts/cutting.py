"""Where a file can be cut: JSONL at line ends, Parquet between row groups, others nowhere."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from batcheval.errors import MissingFileError
from batcheval.readers.files import File
from batcheval.readers.paths import WHOLE, Stretch
from batcheval.readers.within import is_plain
from batcheval.stores import is_address

SIZE: Final = 32 << 20  # bytes of a part, unpacked where Parquet tells
_PIECE: Final = 1 << 16


class Cut(NamedTuple):
    """A stretch, and where its bytes are."""

    stretch: Stretch
    bytes: tuple[int, int]


def cuts_of(file: File, size: int) -> list[Cut]:
    """The stretches of a file, of about `size` bytes each; at least one.

    The cuts lie at multiples of `size`, so that those of a file that has grown stay where they are.

    Raises:
        MissingFileError: the file has vanished.
    """
    if is_address(file.source.path):
        return [Cut(WHOLE, (0, file.source.size))]
    if file.kind == "parquet" and file.table is not None:
        return _row_groups(file.source.path, size)
    path = Path(file.source.path)
    try:
        whole = path.stat().st_size
    except OSError as error:
        raise MissingFileError(file.source.name) from error
    if file.kind != "lines" or whole <= size or not is_plain(file.source.path):
        return [Cut(WHOLE, (0, whole))]
    starts = [0, *dict.fromkeys(_line_starts(path, range(size, whole, size))), whole]
    found = [(a, b) for a, b in pairwise(starts) if a < b]
    return [Cut(Stretch(a, b), (a, b)) for a, b in found]


def _line_starts(path: Path, places: range) -> Iterator[int]:
    """Where the first line starts at or behind each place."""
    with path.open("rb", buffering=0) as file:
        for place in places:
            at = place - 1  # a line starts behind a line end
            file.seek(at)
            while (data := file.read(_PIECE)) and b"\n" not in data:
                at += len(data)
            yield at + data.find(b"\n") + 1


def _row_groups(path: str, size: int) -> list[Cut]:
    from pyarrow.parquet import read_metadata

    metadata = read_metadata(path)
    cuts: list[Cut] = []
    row, begun, bulk, first = 0, 0, 0, None
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        start, end = _bytes_of(group)
        first = start if first is None else first
        row, bulk = row + group.num_rows, bulk + group.total_byte_size
        if bulk >= size or number == metadata.num_row_groups - 1:
            cuts.append(Cut(Stretch(begun, row), (first, end)))
            begun, bulk, first = row, 0, None
    return cuts or [Cut(WHOLE, (0, metadata.serialized_size))]


def _bytes_of(group: object) -> tuple[int, int]:
    """Where the columns of a row group lie in the file."""
    columns = [group.column(number) for number in range(group.num_columns)]  # type: ignore[attr-defined]
    starts = [_first_page(column) for column in columns]
    ends = [
        start + column.total_compressed_size for start, column in zip(starts, columns, strict=True)
    ]
    return min(starts), max(ends)


def _first_page(column: object) -> int:
    data, words = column.data_page_offset, column.dictionary_page_offset  # type: ignore[attr-defined]
    return int(data if words is None else min(words, data))
