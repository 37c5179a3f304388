"""The native layout: one record a trace, its keys the canonical columns or their synonyms."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec
import polars as pl
from msgspec import Raw

from batcheval.readers.blocks import Block, is_utf8
from batcheval.readers.fields import reading
from batcheval.readers.log import BadLine, ReadLog
from batcheval.readers.repair import repair
from batcheval.schema.columns import SYNONYMS
from batcheval.schema.shapes import RAW, Shape, kept

_PLACE = ("source", "line")
_ODD_SHARE = 0.2  # of a block's rows; above it a column is decoded raw from then on


class _Rows(NamedTuple):
    """Decoded records, and by their place in the block what became of the others."""

    rows: list[Any]
    skipped: set[int]
    repaired: set[int]


class NativeReader:
    """Turns blocks of records into frames of the wanted columns.

    Args:
        source: the file, as the user spelled it.
        wanted: the columns to build, each with its type.
        log: where lines, repairs and bad lines are counted.
    """

    def __init__(self, source: str, wanted: Mapping[str, pl.DataType], log: ReadLog) -> None:
        self._source = source
        self._order = list(wanted)
        self._readings = {n: reading(n, t) for n, t in wanted.items() if n not in _PLACE}
        self._log = log
        self._odd: Counter[str] = Counter()
        self._shape = self._new_shape(())

    def _new_shape(self, raw: "set[str] | tuple[()]") -> Shape:
        fields = {
            key: how.field
            for name, how in self._readings.items()
            for key in (name, *SYNONYMS.get(name, ()))
        }
        return Shape("Record", fields, raw)

    def frame(self, block: Block) -> pl.DataFrame:
        """The rows of a block; what it holds besides goes to the log."""
        found = self._decode(block)
        places: Sequence[int] = range(len(block.records))
        if found.skipped:
            places = [place for place in places if place not in found.skipped]
        lost = {row for row, place in enumerate(places) if place in found.repaired}
        columns = {name: self._column(name, found.rows, lost) for name in self._readings}
        self._log.lines += len(block.records)
        self._log.rows += len(found.rows)
        self._log.repaired += len(lost)
        self._adapt(len(found.rows))
        return self._finish(columns, [block.numbers[place] for place in places])

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

    def _finish(self, columns: dict[str, pl.Series], numbers: list[int]) -> pl.DataFrame:
        columns["line"] = pl.Series(numbers, dtype=pl.Int64)
        columns["source"] = pl.Series([self._source], dtype=pl.String).new_from_index(
            0, len(numbers)
        )
        for name in ("input", "output"):
            if name in columns and columns[name].null_count():
                columns[name] = columns[name].fill_null("")
        if "trace_id" in columns and columns["trace_id"].null_count():
            file = self._source.rpartition("/")[2]
            names = pl.Series([f"{file}:{number}" for number in numbers], dtype=pl.String)
            ids = columns["trace_id"]
            columns["trace_id"] = ids.zip_with(ids.is_not_null(), names)
        return pl.DataFrame({name: columns[name] for name in self._order})

    def _adapt(self, rows: int) -> None:
        """Decode raw from now on what has often been of another type than usual."""
        often = {key for key, count in self._odd.items() if count > _ODD_SHARE * rows}
        if often:
            self._shape = self._new_shape(often | self._shape.raw)
        self._odd.clear()

    def _decode(self, block: Block) -> _Rows:
        found = _Rows([], set(), set())
        records = block.records
        if not block.is_utf8:
            records = [record if is_utf8(record) else repair(record) for record in records]
            found.repaired.update(i for i, r in enumerate(block.records) if not is_utf8(r))
        rows, fast, remaining = found.rows, self._shape.fast, iter(records)
        while True:  # one C call a line; whatever that cannot take goes the slow way
            try:
                for record in remaining:
                    rows.append(fast(record))
                return found
            except (msgspec.DecodeError, RecursionError) as error:
                place = len(rows) + len(found.skipped)
                self._decode_slowly(records[place], place, block, found, error)

    def _decode_slowly(
        self, record: bytes, place: int, block: Block, found: _Rows, error: Exception
    ) -> None:
        if not record.strip():
            found.skipped.add(place)
            self._log.blank += 1
            return
        for attempt in (record, repair(record)):
            try:
                row, odd, lost = self._shape.decode(attempt)
            except (msgspec.DecodeError, RecursionError) as failure:
                error = error if isinstance(error, RecursionError) else failure
                continue
            found.rows.append(row)
            self._odd.update(odd)
            if lost or attempt is not record:
                found.repaired.add(place)
            return
        found.skipped.add(place)
        found.repaired.discard(place)
        self._quarantine(place, block, error)

    def _quarantine(self, place: int, block: Block, error: Exception) -> None:
        self._log.quarantine(
            BadLine(
                self._source,
                block.numbers[place],
                block.start(place),
                _reason(error),
                block.records[place],
            )
        )


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "JSON nested too deeply"
    text = str(error).removeprefix("JSON is malformed: ").replace("`", "'")
    if isinstance(error, msgspec.ValidationError):
        return text.replace("Expected 'object', got", "a trace is an object, this is of type")
    return f"not JSON: {text[:1].lower()}{text[1:]}"
