"""What kind of file is this? Told by its content, never by its name."""

from typing import Final, Literal, TypeAlias

import msgspec

from batcheval.errors import UnreadableFileError
from batcheval.readers.headers import separator_of
from batcheval.readers.opening import opened
from batcheval.readers.repair import attempts

Kind: TypeAlias = Literal[
    "parquet", "arrow", "arrow_stream", "csv", "zip", "lines", "array", "values"
]

_MAGIC: Final[dict[bytes, Kind]] = {
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    b"\xff\xff\xff\xff": "arrow_stream",
    b"PK\x03\x04": "zip",
}
_HEAD = 1 << 16


def kind_of(path: str) -> Kind:
    """The kind of a file.

    Returns:
        `"parquet"`, `"arrow"` (a file), `"arrow_stream"`, `"csv"`, `"zip"`, `"lines"` (JSONL),
        `"array"` (a JSON array) or `"values"` (JSON objects of many lines each).

    Raises:
        MissingFileError: there is no such file.
        UnreadableFileError: it is of a kind that cannot hold traces.
    """
    with opened(path) as (stream, _):
        head = stream.read(_HEAD)
    for mark, kind in _MAGIC.items():
        if head.startswith(mark):
            return kind
    if head.startswith((b"FEA1", b"Obj\x01", b"\x89HDF", b"SQLite format 3")):
        raise UnreadableFileError(path, "it is neither JSON, CSV, Parquet nor Arrow")
    return _kind_of_text(head)


def _kind_of_text(text: bytes) -> Kind:
    head = text.removeprefix(b"\xef\xbb\xbf").lstrip()
    first, _, rest = head.partition(b"\n")
    if head[:1] == b"[":
        opens_value = head[1:].lstrip()[:1] in b'{["]'  # else it may be the start of a log line
        return "array" if opens_value and not (_is_json(first) and rest.strip()) else "lines"
    if head[:1] == b"{":
        # A pretty-printed object has no line that is an object by itself and not indented.
        objects = (line for line in head.split(b"\n") if line[:1] == b"{")
        return "lines" if not rest or any(map(_is_json, objects)) else "values"
    return "csv" if separator_of(text) else "lines"


def _is_json(line: bytes) -> bool:
    for attempt in attempts(line):
        try:
            msgspec.json.decode(attempt, type=msgspec.Raw)
        except (msgspec.DecodeError, RecursionError):
            continue
        return True
    return False
