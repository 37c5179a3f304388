"""The formats: rows in, bytes into an open file."""

from collections.abc import Callable
from io import BytesIO
from typing import Any, BinaryIO, Final, Protocol, TypeAlias

import polars as pl

from batcheval.output.plain import for_csv, for_json, for_parquet

# No dictionary, and differences for whole numbers: next to every value is a new one.
_ALL_NEW: Final = ("trace_id", "line")


class Sink(Protocol):
    """One file being written, in one format."""

    def write(self, group: pl.DataFrame) -> None:
        """Write the next rows."""

    def close(self, metadata: str) -> None:
        """Write what must stand at the end; `metadata` too, if the format has a place for it."""

    def abandon(self) -> None:
        """Let go of the file as it is."""


class ParquetSink:
    """Parquet: a row group for each group, zstd, `metadata` under the key `batcheval`."""

    def __init__(self, file: BinaryIO, schema: pl.Schema) -> None:
        from pyarrow.parquet import ParquetWriter

        self._columns = [for_parquet(name, dtype) for name, dtype in schema.items()]
        arrow = schema.to_frame().select(self._columns).to_arrow().schema
        lines = {"line"} if schema.get("line", pl.Null).is_integer() else set()
        self._writer: Any = ParquetWriter(
            file,
            arrow,
            compression="zstd",
            use_dictionary=[path for path in _leaves(arrow) if path not in _ALL_NEW],
            column_encoding=dict.fromkeys(lines, "DELTA_BINARY_PACKED"),
        )

    def write(self, group: pl.DataFrame) -> None:
        table = group.select(self._columns).to_arrow()
        self._writer.write_table(table, row_group_size=max(group.height, 1))

    def close(self, metadata: str) -> None:
        self._writer.add_key_value_metadata({"batcheval": metadata})
        self._writer.close()

    def abandon(self) -> None:
        self._writer.is_open = False  # else it writes its footer when it is collected


class TextSink:
    """A text for each group, one after the other."""

    def __init__(self, file: BinaryIO, columns: list[pl.Expr], encode: "Encoder") -> None:
        self._file, self._columns, self._encode = file, columns, encode

    def write(self, group: pl.DataFrame) -> None:
        buffer = BytesIO()
        self._encode(group.select(self._columns), buffer)
        self._file.write(buffer.getbuffer())

    def close(self, metadata: str) -> None:
        pass

    def abandon(self) -> None:
        pass


Encoder: TypeAlias = Callable[[pl.DataFrame, BytesIO], None]


def jsonl_sink(file: BinaryIO, schema: pl.Schema) -> Sink:
    """JSON Lines: an object for each row, in UTF-8."""
    columns = [for_json(name, dtype) for name, dtype in schema.items()]
    return TextSink(file, columns, lambda rows, buffer: rows.write_ndjson(buffer))


def csv_sink(file: BinaryIO, schema: pl.Schema) -> Sink:
    """CSV with a header; null is an empty field, the empty text a quoted one."""
    columns = [for_csv(name, dtype) for name, dtype in schema.items()]
    TextSink(file, columns, lambda rows, buffer: rows.write_csv(buffer)).write(schema.to_frame())
    return TextSink(
        file, columns, lambda rows, buffer: rows.write_csv(buffer, include_header=False)
    )


SINKS: Final[dict[str, Callable[[BinaryIO, pl.Schema], Sink]]] = {
    ".parquet": ParquetSink,
    ".jsonl": jsonl_sink,
    ".ndjson": jsonl_sink,
    ".csv": csv_sink,
}


def _leaves(schema: Any) -> list[str]:
    """The columns as Parquet counts them, down to the fields of Structs and lists."""
    from pyarrow import parquet

    buffer = BytesIO()
    parquet.write_table(schema.empty_table(), buffer)
    columns = parquet.read_metadata(buffer).schema
    return [columns.column(place).path for place in range(len(columns.names))]
