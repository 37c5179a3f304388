"""Blocks of made-up traces: lines of JSON, and frames of canonical columns with the same rows."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import accumulate
from random import Random
from typing import Any

import msgspec
import numpy as np
import polars as pl
import pyarrow as pa
from calls import FIELDS, START, Call, Calls
from prose import LENGTH, Prose, english, mixed

from batcheval.schema.columns import CALL, CANONICAL

SCHEMA: dict[str, pl.DataType] = {**CANONICAL, "gold_answer": pl.String()}
Record = dict[str, Any]


class Maker:
    """Makes blocks of traces out of one store of prose and calls."""

    def __init__(self, seed: int, calls: int = 4_000) -> None:
        words, self.seed = np.random.default_rng(seed), seed
        self.prose = [english(words), english(words), english(words), mixed(words)]
        self.calls = Calls(Random(seed), self.prose, calls)

    def block(self, start: int, count: int) -> tuple[list[Record], list[list[Call]]]:
        dice, numbers = Random(f"{self.seed} {start}"), range(start, start + count)
        calls = [list(self.calls.some(dice, number)) for number in numbers]
        return [_record(dice, self.prose[number % 4], number) for number in numbers], calls


def _record(dice: Random, prose: Prose, number: int) -> Record:
    roll = dice.random
    words, first = 20 + int(361 * roll()), int((LENGTH - 800) * roll())
    crashed = roll() < 0.01
    return {
        "trace_id": f"trace-{number:08}",
        "run": "baseline" if number % 2 else "candidate",
        "task_id": f"task-{number // 2:07}",
        "trial": 1,
        "input": prose.some(dice, 5, 40),
        "output": None if crashed else prose.cut(first, words),
        "expected": prose.cut(first + int(2 * words * roll()), 3),  # every other time in the output
        "gold_answer": prose.cut(first + 15, words) if number % 8 < 2 else None,
        "model": "kestrel-1" if number % 2 else "kestrel-2",
        "error": "model did not answer within 60 s" if crashed else None,
        "input_tokens": 800 + int(4_000 * roll()),
        "latency_ms": int(300_000 * roll()) / 10,
        "started_at": START + number * 7_000_000,
        "metadata": f'{{"city": "City {number % 97}", "tier": "plus", "channel": "chat"}}',
    }


def lines(records: list[Record], calls: list[list[Call]]) -> Iterator[bytes]:
    """The rows as lines of a dump in the native layout; what is null is left out."""
    encode = msgspec.json.Encoder().encode
    for record, made in zip(records, calls, strict=True):
        row = {key: value for key, value in record.items() if value is not None}
        row["started_at"] = _stamp(row["started_at"])
        row["metadata"] = msgspec.Raw(row["metadata"].encode())
        yield encode(row | {"tool_calls": [_in_json(call) for call in made]}) + b"\n"


def _in_json(call: Call) -> Record:
    name, args, result, as_json, error, state, call_id, started_at, duration_ms = call
    answer = msgspec.Raw(result.encode()) if as_json else result
    said = {"id": call_id, "name": name, "args": msgspec.Raw(args.encode())}
    said |= {"error": error} if error else {"result": answer}
    return said | {"state": state, "started_at": _stamp(started_at), "duration_ms": duration_ms}


def _stamp(moment: int) -> datetime:
    return datetime.fromtimestamp(moment / 1_000_000, UTC)


def frame(records: list[Record], calls: list[list[Call]], source: str, first: int) -> pl.DataFrame:
    """The same rows as the canonical table that the library reads from the lines."""
    known = {name: dtype for name, dtype in SCHEMA.items() if name in records[0]}
    rows = pl.DataFrame(records, schema=known)
    numbers = pl.int_range(first, first + len(records), dtype=pl.Int64)
    table = rows.with_columns(
        tool_calls(calls),
        pl.col("output").fill_null(""),
        source=pl.lit(source),
        line=numbers,
    )
    rest = [name for name in SCHEMA if name not in table.columns]
    return table.with_columns(_nothing(name) for name in rest).select(*SCHEMA)


def _nothing(name: str) -> pl.Expr:
    value = [] if isinstance(SCHEMA[name], pl.List) else None
    return pl.lit(value, SCHEMA[name]).alias(name)


def tool_calls(calls: list[list[Call]]) -> pl.Series:
    flat = pl.DataFrame(
        [call for made in calls for call in made],
        schema=[(name, dict(CALL.to_schema()).get(name, pl.Boolean)) for name in FIELDS],
        orient="row",
    ).with_columns(state_raw="state", message=None, agent=None, parent_id=None)
    whole = flat.select(pl.col(f.name).cast(f.dtype) for f in CALL.fields).to_struct()
    offsets = pa.array(accumulate(map(len, calls), initial=0), pa.int64())
    array = pa.LargeListArray.from_arrays(offsets, whole.to_arrow())
    return pl.Series("tool_calls", pl.from_arrow(array), pl.List(CALL))
