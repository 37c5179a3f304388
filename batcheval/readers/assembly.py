"""Traces as layouts make them, put together as frames without a detour through JSON."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec
import polars as pl
from msgspec import UNSET, Raw

from batcheval.readers.fields import Reading, reading
from batcheval.readers.layouts.layout import UNPAIRED, Place, Trace
from batcheval.readers.log import ReadLog
from batcheval.readers.native import PLACE, finished
from batcheval.readers.usual import usual
from batcheval.schema.call_json import calls_column
from batcheval.schema.call_objects import as_structs, column_of_calls
from batcheval.schema.call_shapes import CALLS
from batcheval.schema.kinds import Field, kept
from batcheval.schema.lists import MESSAGES, TEXTS, column_of_messages
from batcheval.schema.lists import SHAPE as MESSAGE
from batcheval.schema.states import nulls

Row = dict[str, Any]
_LISTS: Final = (TEXTS, MESSAGES, CALLS)
LOST: Final = "batcheval:lost"  # set on a row of which a value could not be kept
_encode = msgspec.json.Encoder(decimal_format="number").encode


class Assembler:
    """Turns traces into rows, one by one, and rows into frames.

    What a layout makes has mostly the types that its columns have, and is taken as it is. Anything
    else is read as the native layout reads its JSON, so that the same becomes of it.

    Args:
        wanted: the columns to build, each with its type.
        log: where rows are counted.
    """

    def __init__(self, wanted: Mapping[str, pl.DataType], log: ReadLog) -> None:
        self._order, self._log = list(wanted), log
        self._dtypes = {name: dtype for name, dtype in wanted.items() if name not in PLACE}
        self._readings = {name: reading(name, dtype) for name, dtype in self._dtypes.items()}
        self._fields = [(name, how.field, usual(how.field)) for name, how in self._readings.items()]

    def row(self, trace: Trace) -> Row:
        """The values of a trace for the wanted columns, each of a type that `frame` takes.

        Raises:
            ValueError: what the layout made is no object.
        """
        if not isinstance(trace, dict):
            raise ValueError(f"a trace is an object, not {trace!r:.60}")
        self._log.unpaired += trace.get(UNPAIRED, 0)
        row: Row = {}
        for name, field, take in self._fields:
            value = trace.get(name)
            if value is None:
                continue
            if take is None:  # any JSON
                row[name] = Raw(_encode(value))
            elif (taken := take(value)) is not None:
                row[name] = taken
            else:
                row[name] = _read(value, field, row)
        return row

    def frame(self, rows: Sequence[Row], places: Sequence[Place]) -> pl.DataFrame:
        """A frame of rows, and where they come from."""
        lost = {place for place, row in enumerate(rows) if LOST in row}
        columns = {}
        told = set[str]().union(*rows)
        self._log.seen |= told & self._readings.keys()
        for name, how in self._readings.items():
            if name not in told and how.field not in _LISTS:
                columns[name] = nulls(self._dtypes[name], len(rows))
                continue
            columns[name], mask = _column([row.get(name) for row in rows], how)
            if mask is not None:
                lost.update(mask.arg_true())
        self._log.lines += len(rows)
        self._log.rows += len(rows)
        self._log.repaired += len(lost)
        sources, numbers = [place.source for place in places], [place.line for place in places]
        return finished(columns, self._order, sources, numbers)


def _read(value: Any, field: Field, row: Row) -> Any:
    """A value of another type than usual, by way of JSON."""
    raw = Raw(_encode(value))
    try:
        read = msgspec.json.decode(raw, type=field.type)
    except msgspec.ValidationError:
        read = kept(field, raw, partial(row.__setitem__, LOST, True))
    return _as_dicts(read) if field is MESSAGES else read


def _as_dicts(messages: list[Any] | None) -> list[dict[str, Any]]:
    found = [{key: getattr(message, key) for key in MESSAGE.fields} for message in messages or ()]
    return [{k: v for k, v in message.items() if v is not UNSET} for message in found]


def _column(values: list[Any], how: Reading) -> tuple[pl.Series, pl.Series | None]:
    if how.field is MESSAGES:
        return column_of_messages(values), None
    if how.field is not CALLS:
        return how.build(values)
    if all(type(call) is dict for calls in values if calls for call in calls):
        return column_of_calls(values), None
    return calls_column([v if v and type(v[0]) is not dict else as_structs(v) for v in values])
