"""The native layout: one record a trace, its keys the canonical columns or their synonyms."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl
from msgspec import Raw

from batcheval.readers.blocks import Block
from batcheval.readers.decoding import Decoded, UnknownKey, bad_line, decode
from batcheval.readers.fields import Reading, reading
from batcheval.readers.log import ReadLog
from batcheval.readers.strangers import Strangers, without
from batcheval.schema.call_json import calls_column
from batcheval.schema.call_shapes import SHAPE, calls_field, shape_of
from batcheval.schema.columns import CANONICAL, SYNONYMS
from batcheval.schema.kinds import RAW, kept
from batcheval.schema.shapes import Shape, is_usable

PLACE = ("source", "line")
_MOST_KEYS = 64  # that calls may have before all known ones are looked for instead
_ODD_SHARE = 0.2  # of a block's rows; above it a column is decoded raw from then on


class NativeReader:
    """Turns blocks of records into frames of the wanted columns.

    Args:
        source: the file, as the user spelled it.
        wanted: the columns to build, each with its type.
        log: where lines, repairs and bad lines are counted.
        has_places: whether the records tell where they came from, in `source` and `line`.
    """

    def __init__(
        self,
        source: str,
        wanted: Mapping[str, pl.DataType],
        log: ReadLog,
        has_places: bool = False,
    ) -> None:
        self._source = source
        self._order = list(wanted)
        read = {name: dtype for name, dtype in wanted.items() if name not in PLACE}
        if has_places:
            read |= {name: CANONICAL[name] for name in PLACE}
        self._readings = {name: reading(name, dtype) for name, dtype in read.items()}
        self._log = log
        self._fields = {
            key: how.field
            for name, how in self._readings.items()
            for key in (name, *SYNONYMS.get(name, ()))
        }
        self._strangers = Strangers()
        self._call_keys: set[str] = set()
        if "tool_calls" in self._readings:
            self._learn(shape_of(()))
        self._shape = Shape("Record", self._fields)

    def frame(self, block: Block) -> pl.DataFrame:
        """The rows of a block; what it holds besides goes to the log."""
        strange = self._strangers.found(block)
        found = self._decoded(without(block, strange))
        for place, reason in found.bad:
            reason = strange.get(place, reason)
            self._log.quarantine(bad_line(self._source, block, place, reason))
        places: Sequence[int] = range(len(block.records))
        if found.skipped:
            places = [place for place in places if place not in found.skipped]
        lost = {row for row, place in enumerate(places) if place in found.repaired}
        columns = {name: self._column(name, found.rows, lost) for name in self._readings}
        self._log.lines += len(block.records)
        self._log.rows += len(found.rows)
        self._log.repaired += len(lost)
        self._log.blank += found.blank
        self._adapt(found)
        numbers = [block.numbers[place] for place in places]
        return finished(columns, self._order, [self._source] * len(numbers), numbers)

    def _decoded(self, block: Block) -> Decoded:
        while True:
            try:
                return decode(block, self._shape)
            except UnknownKey as unknown:
                self._call_keys.add(unknown.key)
                few = len(self._call_keys) <= _MOST_KEYS and all(map(is_usable, self._call_keys))
                self._learn(shape_of(self._call_keys) if few else SHAPE)
                self._shape = Shape("Record", self._fields, self._shape.raw)

    def _learn(self, shape: Shape) -> None:
        """Read calls by this shape from now on."""
        field = calls_field(shape)
        build = partial(calls_column, shape=shape)
        for key in ("tool_calls", *SYNONYMS["tool_calls"]):
            self._fields[key] = field
        self._readings["tool_calls"] = Reading(field, build)

    def _column(self, name: str, rows: list[Any], lost: set[int]) -> pl.Series:
        keys = (name, *SYNONYMS.get(name, ()))
        values = self._shape.found(rows, name, keys[1:])
        how = self._readings[name]
        if values is None:
            values = [None] * len(rows)
        elif name in self._log.unseen:
            self._log.unseen.discard(name)
        if how.field is not RAW and not self._shape.raw.isdisjoint(keys):
            values = [
                kept(how.field, v, partial(lost.add, i)) if type(v) is Raw else v
                for i, v in enumerate(values)
            ]
        column, mask = how.build(values)
        if mask is not None:
            lost.update(mask.arg_true())
        return column

    def _adapt(self, found: Decoded) -> None:
        """Decode raw from now on what has often been of another type than usual."""
        often = {key for key, n in found.odd.items() if n > _ODD_SHARE * len(found.rows)}
        if often - self._shape.raw:
            self._shape = Shape("Record", self._fields, often | self._shape.raw)


def finished(
    columns: dict[str, pl.Series], order: list[str], sources: list[str], numbers: list[int]
) -> pl.DataFrame:
    """The columns in their order, with the place of each row, which names those without an id.

    Where records told their places, these are among the columns.
    """
    places = {
        "line": pl.Series(numbers, dtype=pl.Int64),
        "source": pl.Series(sources, dtype=pl.String),
    }
    if "line" in columns:
        told = columns["line"].is_not_null()
        places = {key: columns[key].zip_with(told, place) for key, place in places.items()}
    columns |= places
    for name in ("input", "output"):
        if name in columns and columns[name].null_count():
            columns[name] = columns[name].fill_null("")
    if "trace_id" in columns and columns["trace_id"].null_count():
        files = (source.rpartition("/")[2] for source in sources)
        named = [f"{file}:{number}" for file, number in zip(files, numbers, strict=True)]
        names = pl.Series(named, dtype=pl.String)
        ids = columns["trace_id"]
        columns["trace_id"] = ids.zip_with(ids.is_not_null(), names)
    return pl.DataFrame({name: columns[name] for name in order})
