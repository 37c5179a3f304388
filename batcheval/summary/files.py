"""Files of scores, as `write_scores` leaves them, opened again."""

import json
from dataclasses import dataclass, field
from typing import Any, Final

import polars as pl

from batcheval.errors import NotScoresError, quoted
from batcheval.schema import CANONICAL, METADATA_KEY
from batcheval.stores import (
    Place,
    beginning,
    is_file,
    is_folder,
    located,
    options_of,
    text_of,
    within,
)
from batcheval.summary.scans import readable, scan

FORMAT_VERSION: Final = 1
MANIFEST: Final = "manifest.json"  # of a folder of parts


@dataclass(frozen=True)
class ScoresFile:
    """A scores file, opened.

    Attributes:
        scores: its rows: one a trace, or one a trace and scorer.
        scorers: the ids of the scorers, in order.
        long: a row stands for a trace and a scorer (columns `scorer` and `score`).
        metadata: what was written beside the rows: suite, sources, counts; empty in other formats
            than Parquet, and in files that another program wrote.
    """

    scores: pl.LazyFrame
    scorers: list[str]
    long: bool = False
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, Any] | None:
        """The counts of lines and rows, where the file has them."""
        counts = self.metadata.get("counts")
        return counts if isinstance(counts, dict) else None


def open_scores(path: Place | str) -> ScoresFile:
    """Open a file of scores: Parquet whatever it is called, else `.jsonl`, `.ndjson` or `.csv`.

    It may be an address, as may a folder of parts.

    Raises:
        UnreadableFileError: there is no such file, or it is damaged.
        NotScoresError: it can be read, but holds no scores.
    """
    path = located(path)
    if is_folder(path):
        return _open_folder(path)
    with readable(path):
        is_parquet = beginning(path, 4) == b"PAR1"
        metadata = _metadata(path) if is_parquet else {}
        scores = scan(path, is_parquet)
        schema = scores.collect_schema()
    if "trace_id" not in schema:
        raise NotScoresError(f"'{path}'", f"it has no column 'trace_id', but {quoted(schema)}")
    long = bool(metadata.get("long", is_long(schema)))
    with readable(path):
        ids = _ids(metadata, path) or scorer_ids(scores, f"'{path}'")
    return ScoresFile(scores, ids, long, metadata)


def is_long(schema: pl.Schema) -> bool:
    """Does each row stand for a trace and a scorer?"""
    return schema.get("scorer") == pl.String and schema.get("score") in (pl.Float64, pl.Null)


def scorer_ids(scores: pl.LazyFrame, what: str = "the table") -> list[str]:
    """The ids of the scorers of a table, wide or long.

    In a wide one each Float64 column counts that is none of the traces' own, and each such column
    whose type nobody could tell, since a text file of unscored rows has no numbers.

    Raises:
        NotScoresError: there are none.
    """
    schema = scores.collect_schema()
    if is_long(schema):
        names = scores.select(pl.col("scorer").drop_nulls().unique(maintain_order=True))
        return names.collect().to_series().to_list()
    found = [name for name, dtype in schema.items() if dtype == pl.Float64 or _untold(name, schema)]
    # An unnamed scorer may have the name of its check, though a column of traces has it too.
    found = [name for name in found if name not in CANONICAL or name == "trajectory"]
    if not found:
        raise NotScoresError(what, f"it has no column of scores among {quoted(schema.names())}")
    return found


def _untold(name: str, schema: pl.Schema) -> bool:
    owner = name.removesuffix("_details").removesuffix("_reason")
    return schema[name] == pl.Null and (owner == name or owner not in schema)


def _open_folder(path: Place) -> ScoresFile:
    """A folder of parts, of which its manifest tells."""
    manifest = within(path, MANIFEST)
    if not is_file(manifest):
        found = f"it has no '{MANIFEST}', which a finished run leaves"
        raise NotScoresError(f"the folder '{path}'", found)
    with readable(manifest):
        metadata = _told(text_of(manifest), path, MANIFEST)
    files = [str(within(path, part["file"])) for part in metadata.pop("parts", [])]
    with readable(path):
        scores = pl.scan_parquet(files, glob=False, storage_options=options_of(path))
        scores.collect_schema()
    return ScoresFile(scores, _ids(metadata, path), bool(metadata.get("long")), metadata)


def _metadata(path: Place) -> dict[str, Any]:
    text = pl.read_parquet_metadata(str(path), storage_options=options_of(path)).get(
        METADATA_KEY, "{}"
    )
    return _told(text, path, f"metadata '{METADATA_KEY}'")


def _told(text: str, path: Place, where: str) -> dict[str, Any]:
    try:
        metadata = json.loads(text)
    except ValueError:
        metadata = None
    if not isinstance(metadata, dict):
        raise NotScoresError(f"'{path}'", f"its {where} is no JSON object")
    version = metadata.get("format_version", FORMAT_VERSION)
    if version != FORMAT_VERSION:
        found = f"it has format {version!r}, and this batcheval reads format {FORMAT_VERSION}"
        raise NotScoresError(f"'{path}'", found)
    return metadata


def _ids(metadata: dict[str, Any], path: Place) -> list[str]:
    try:
        return [scorer["id"] for scorer in metadata.get("scorers", [])]
    except (TypeError, KeyError) as error:
        found = f"its metadata '{METADATA_KEY}' names no scorers"
        raise NotScoresError(f"'{path}'", found) from error
