"""Readers against a slow plain twin, in every format, however the bytes are cut and asked for."""

import gzip
import io
import json
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from batcheval import ReadLog, read_traces
from batcheval.errors import (
    BadLineError,
    MissingFileError,
    NoFilesError,
    TooManyBadLinesError,
    UnknownLayoutError,
    UnreadableFileError,
)
from batcheval.readers import BadLine, blocks
from batcheval.schema import CANONICAL

Row = dict[str, Any]
FEW = settings(
    max_examples=20,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=list(HealthCheck),
)

# A plain twin of the rules, a value at a time

SYNONYMS = {
    "trace_id": ["trace_id", "id"],
    "input": ["input", "question", "prompt", "query"],
    "output": ["output", "response", "answer", "completion"],
    "expected": ["expected", "ground_truth", "reference", "target", "expected_output"],
    "tool_calls": ["tool_calls", "toolCalls"],
}
IN_CALL = {
    "id": ["id", "toolCallId", "tool_call_id"],
    "name": ["name", "toolName", "tool_name"],
    "args": ["args", "arguments", "input"],
    "result": ["result", "output"],
    "error": ["error", "errorText", "error_text"],
    "state": ["state", "status"],
    "is_error": ["is_error", "isError"],
}
WORDS = {
    "ok": "ok result output-available completed",
    "error": "error output-error failed",
    "pending": "pending call input-available",
    "denied": "denied",
    "partial": "partial partial-call input-streaming",
}
STATE = {word: state for state, words in WORDS.items() for word in words.split()}
JSON_COLUMNS = ["expected_tool_calls", "expected_trajectory", "trajectory", "labels", "metadata"]


class Number(str):
    """A number as it is spelled; so that its text is known."""


def dumps(value: Any) -> str:
    """JSON without spaces, numbers as they were spelled."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{dumps(k)}:{dumps(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dumps, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def word(value: Any) -> str | None:
    """A text is itself, nothing nothing, anything else its JSON."""
    if value is None or (isinstance(value, str) and not isinstance(value, Number)):
        return value
    return dumps(value)


def text(value: Any) -> str | None:
    """The same, but a list of content parts is the text in them."""
    if isinstance(value, list) and all(isinstance(v, dict) and "type" in v for v in value):
        return "".join(word(v["text"]) or "" for v in value if v["type"] == "text" and "text" in v)
    return word(value)


def unwrapped(value: Any) -> str | None:
    """JSON text; a string that holds JSON is that JSON, however often it was encoded."""
    found = word(value)
    while found is not None and found[:1] == '"' and isinstance(value, str):
        try:
            found = json.loads(found, strict=True)
        except ValueError:
            break
    return found


def number(value: str | None) -> float | None:
    return float(value) if value else None


def whole(value: str | None) -> int | None:
    found = Decimal(value.strip()) if value else None
    return None if found is None or found != int(found) else int(found)


def first(row: Row, names: Sequence[str]) -> Any:
    return next((row[name] for name in names if name in row), None)


def call_of(call: Any) -> Row:
    if isinstance(call, str):
        call = {"name": call}
    found = {key: first(call, IN_CALL.get(key, [key])) for key in ("id", "name", "agent")}
    given = {key: first(call, IN_CALL[key]) for key in ("args", "result", "error", "state")}
    result = given["result"]
    signs = [
        first(call, IN_CALL["is_error"]) is True,
        given["error"] not in (None, False, ""),
        isinstance(result, dict) and result.get("error") not in (None, False, "", "0", "-0"),
    ]
    known = STATE.get((given["state"] or "").lower())
    state = ("error" if any(signs) else "ok") if known in (None, "ok") else known
    return {
        **{key: word(value) for key, value in found.items()},
        "args": unwrapped(given["args"]),
        "result": word(result),
        "error": word(given["error"]) if given["error"] not in (False, "") else None,
        "state": state,
        "state_raw": given["state"],
        "message": whole(call.get("message")),
        "duration_ms": number(call.get("duration_ms")),
    }


def twin(row: Row, file: str, line: int) -> Row:
    """The canonical row of a record."""
    got = {name: first(row, SYNONYMS.get(name, [name])) for name in CANONICAL}
    calls = got["tool_calls"] or []
    context = got["context"] or []
    return {
        "trace_id": f"{file}:{line}" if got["trace_id"] is None else text(got["trace_id"]),
        "input": text(got["input"]) or "",
        "output": text(got["output"]) or "",
        **{name: text(got[name]) for name in ("run", "task_id", "expected", "model", "error")},
        **{name: unwrapped(got[name]) for name in JSON_COLUMNS},
        "tool_calls": [call_of(call) for call in calls if call is not None],
        "context": [text(item) for item in context if item is not None],
        "messages": [
            {"role": message.get("role"), "content": text(message.get("content"))}
            for message in got["messages"] or []
        ],
        **{name: whole(got[name]) for name in ("trial", "input_tokens")},
        **{name: number(got[name]) for name in ("cost", "latency_ms")},
        "line": line,
    }


def like(wanted: Any, found: Any) -> Any:
    """`found` cut down to the keys of `wanted`."""
    if isinstance(wanted, dict):
        return {key: like(value, found[key]) for key, value in wanted.items()}
    if isinstance(wanted, list) and len(wanted) == len(found):
        return [like(a, b) for a, b in zip(wanted, found, strict=True)]
    return found


# Random rows

WORDY = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
NUMBERS = st.sampled_from(["0", "-0", "7", "1.0", "-2.50", "1e2", "9007199254740993"]).map(Number)
SCALARS = st.none() | st.booleans() | NUMBERS | WORDY
VALUES = st.recursive(
    SCALARS, lambda v: st.lists(v, max_size=3) | st.dictionaries(WORDY, v, max_size=3), max_leaves=6
)
PARTS = st.lists(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["text", "image"])}, optional={"text": st.none() | WORDY}
    ),
    min_size=1,
    max_size=3,
)
ENCODED = st.sampled_from(
    ['{"q": 1.0}', "{bad", '"{\\"q\\": 1}"', "", "[]", '"', '"a"', '"\\"b\\""']
)


def named(names: Sequence[str], values: st.SearchStrategy[Any]) -> st.SearchStrategy[Row]:
    return st.builds(lambda name, value: {name: value}, st.sampled_from(names), values)


def merged(*parts: st.SearchStrategy[Row]) -> st.SearchStrategy[Row]:
    chosen = st.tuples(*(st.just({}) | part for part in parts))
    return chosen.map(lambda found: {key: value for part in found for key, value in part.items()})


STATES = st.none() | st.sampled_from([*STATE, "OK", "Failed", "weird", ""])
CALLS = merged(
    named(IN_CALL["name"], st.none() | WORDY),
    named(IN_CALL["id"], SCALARS),
    named(IN_CALL["args"], VALUES | ENCODED),
    named(IN_CALL["result"], VALUES | st.fixed_dictionaries({"error": SCALARS})),
    named(IN_CALL["error"], st.none() | st.just(False) | WORDY),
    named(IN_CALL["state"], STATES),
    named(IN_CALL["is_error"], st.none() | st.booleans()),
    named(["message"], st.none() | st.sampled_from(["3", "4.0"]).map(Number)),
    named(["duration_ms"], st.none() | NUMBERS | st.just("1.5")),
    named(["agent"], st.none() | WORDY),
)
NUMERIC = st.none() | NUMBERS | st.sampled_from(["12", " 1.5 ", ""])
ROWS = merged(
    named(SYNONYMS["trace_id"], SCALARS | VALUES),
    named(SYNONYMS["input"], VALUES | PARTS),
    named(SYNONYMS["output"], VALUES | PARTS),
    named(SYNONYMS["expected"], VALUES),
    named(SYNONYMS["tool_calls"], st.none() | st.lists(st.none() | WORDY | CALLS, max_size=3)),
    named(
        ["messages"], st.lists(st.fixed_dictionaries({"role": WORDY, "content": VALUES | PARTS}))
    ),
    named(["context"], st.none() | st.lists(VALUES | PARTS, max_size=3)),
    named(["metadata"], VALUES | ENCODED),
    named(["labels"], VALUES | ENCODED),
    named(["trial"], NUMERIC),
    named(["input_tokens"], NUMERIC),
    named(["cost"], NUMERIC),
    named(["latency_ms"], NUMERIC),
    named(["model"], VALUES),
    named(["run"], WORDY),
    named(["other"], VALUES),
)


class Spelled:
    """One way to write JSON: escapes or none, blanks or none, keys in some order."""

    def __init__(self, ascii_only: bool, gap: str, swap: bool) -> None:
        self.ascii_only, self.gap, self.swap = ascii_only, gap, swap

    def __repr__(self) -> str:
        return f"Spelled({self.ascii_only}, {self.gap!r}, {self.swap})"

    def line(self, row: Row) -> str:
        """The outer object in this spelling; nested values bare, since they are kept as written."""
        pairs = [f"{self._text(k)}{self.gap}:{self.gap}{self._value(v)}" for k, v in row.items()]
        body = f"{self.gap},{self.gap}".join(pairs[::-1] if self.swap else pairs)
        return f"{{{self.gap}{body}{self.gap}}}"

    def _text(self, value: str) -> str:
        return json.dumps(value, ensure_ascii=self.ascii_only)

    def _value(self, value: Any) -> str:
        plain = isinstance(value, str) and not isinstance(value, Number)
        return self._text(value) if plain else dumps(value)


SPELLINGS = st.builds(Spelled, st.booleans(), st.sampled_from(["", " ", "\t "]), st.booleans())
NOISE = ["", "  \t", "\r", "oops", "[1]", "7", '{"torn', "null", "{} {}", '{"a":1,}', "\x0b"]
LINES = st.lists(st.tuples(ROWS, SPELLINGS) | st.sampled_from(NOISE), max_size=10)
FIRST = ({"trace_id": "first"}, Spelled(True, "", False))  # whatever follows, this is JSONL


class Whole(NamedTuple):
    """All that a read gives."""

    rows: pl.DataFrame
    bad: list[BadLine]
    counts: tuple[int, ...]


def whole_read(*paths: Path, piece: int = blocks.PIECE, block: int = blocks._BLOCK) -> Whole:
    """Read to the end, in pieces and blocks of these sizes."""
    bad: list[BadLine] = []
    log = ReadLog(on_quarantine=bad.append)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "PIECE", piece)
        patch.setattr(blocks, "_BLOCK", block)
        traces = read_traces(*paths, log=log)
        log.restart()  # rows of tables are counted beforehand
        rows = traces.collect()
    return Whole(rows, bad, (log.lines, log.rows, log.blank, log.quarantined, log.repaired))


@FEW
@given(lines=LINES, piece=st.integers(1, 90), block=st.integers(30, 400))
@example(lines=[({"output": Number("1e2")}, Spelled(True, "", False))], piece=1, block=1)
def test_jsonl_reads_as_its_twin_says(
    lines: list[Any], piece: int, block: int, tmp_path: Path
) -> None:
    path = tmp_path / "dump.jsonl"
    noise = [isinstance(line, str) for line in (FIRST, *lines)]
    spelled = [line if isinstance(line, str) else line[1].line(line[0]) for line in (FIRST, *lines)]
    path.write_text("\n".join(spelled), newline="", encoding="utf-8")
    rows = [
        twin(line[0], path.name, place)
        for place, line in enumerate((FIRST, *lines), 1)
        if not isinstance(line, str)
    ]
    found = whole_read(path)
    got = [like(row, have) for row, have in zip(rows, found.rows.to_dicts(), strict=True)]
    assert got == rows
    assert found.rows["source"].to_list() == [str(path)] * len(rows)
    bad = [n for n, line in enumerate(spelled, 1) if noise[n - 1] and line.strip()]
    assert [one.line for one in found.bad] == bad
    raw = path.read_bytes()
    assert all(raw[one.offset :].startswith(one.raw) for one in found.bad)
    total = len(raw.split(b"\n")) - raw.endswith(b"\n")
    assert found.counts[:4] == (total, len(rows), total - len(rows) - len(bad), len(bad))
    assert_same(whole_read(path, piece=piece, block=block), found)


def assert_same(one: Whole, other: Whole) -> None:
    assert_frame_equal(one.rows, other.rows)
    assert one[1:] == other[1:]


@FEW
@given(data=st.binary(max_size=80), piece=st.integers(1, 9), kept=st.lists(st.booleans()))
def test_any_bytes_keep_the_books(
    data: bytes, piece: int, kept: list[bool], tmp_path: Path
) -> None:
    """Whatever the bytes: lines = rows + blank + quarantined, and every byte is in one of them."""
    path = tmp_path / "dump.jsonl"
    row = b'{"trace_id":"a","output":"' + data.replace(b"\n", b"") + b'"}'
    path.write_bytes(b'{"trace_id":"first"}\n' + data + b"".join(b"\n" + row for _ in kept))
    found = whole_read(path, piece=piece, block=piece * 20)
    assert_same(whole_read(path), found)
    lines, rows, blank, bad, _ = found.counts
    assert lines == rows + blank + bad
    raw = path.read_bytes().split(b"\n")
    assert all(one.raw == raw[one.line - 1] for one in found.bad)
    assert lines == len(raw) - (not raw[-1])


# The same rows in every format

SOME = st.text(st.sampled_from("ab ,;\"\n'é😀{[\\\t"), min_size=1, max_size=8)
TYPED_CALL = st.fixed_dictionaries(
    {
        "id": st.none() | SOME,
        "name": SOME,
        "args": st.sampled_from(['{"q":1}', "[]", "{bad", '"{\\"q\\": 1.0}"']),
        "result": st.none() | SOME,
        "error": st.none() | SOME,
        "state": STATES,
        "is_error": st.none() | st.booleans(),
        "duration_ms": st.none() | st.sampled_from([0.5, 12.0]),
        "started_at": st.sampled_from([None, "2024-05-01T10:00:00.25Z"]),
    }
)
TYPED = st.fixed_dictionaries(
    {
        "id": SOME,
        "run": st.none() | SOME,
        "question": st.none() | SOME,
        "output": st.none() | SOME,
        "tool_calls": st.none() | st.lists(TYPED_CALL, max_size=3),
        "messages": st.none()
        | st.lists(st.fixed_dictionaries({"role": SOME, "content": st.none() | SOME}), max_size=2),
        "context": st.none() | st.lists(SOME, max_size=2),
        "metadata": st.sampled_from([None, '{"city":"Lyon","n":1.50}', "plain"]),
        "trial": st.none() | st.integers(-(2**63), 2**63 - 1),
        "cost": st.none() | st.floats(allow_nan=False, allow_infinity=False),
        "started_at": st.sampled_from([None, "2024-05-01T10:00:00Z", "1714557600"]),
    }
)
SCHEMA = {
    **dict.fromkeys(("id", "run", "question", "output", "metadata", "started_at"), pl.String),
    "tool_calls": pl.List(
        pl.Struct(
            {
                **dict.fromkeys(("id", "name", "args", "result", "error", "state"), pl.String),
                "is_error": pl.Boolean,
                "duration_ms": pl.Float64,
                "started_at": pl.String,
            }
        )
    ),
    "messages": pl.List(pl.Struct({"role": pl.String, "content": pl.String})),
    "context": pl.List(pl.String),
    "trial": pl.Int64,
    "cost": pl.Float64,
}


def as_jsonl(rows: list[Row]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def as_csv(rows: list[Row], separator: str) -> bytes:
    nested = ("tool_calls", "messages", "context")
    flat = [
        {**row, **{n: None if row[n] is None else json.dumps(row[n]) for n in nested}}
        for row in rows
    ]
    schema = {**SCHEMA, **dict.fromkeys(nested, pl.String)}
    out = io.BytesIO()
    pl.DataFrame(flat, schema=schema).write_csv(out, separator=separator)
    return out.getvalue()


def table(rows: list[Row], method: str, **options: Any) -> bytes:
    out = io.BytesIO()
    getattr(pl.DataFrame(rows, schema=SCHEMA), method)(out, **options)
    return out.getvalue()


FORMATS: dict[str, Callable[[list[Row]], bytes]] = {
    "array": lambda rows: json.dumps(rows).encode(),
    "pretty array": lambda rows: json.dumps(rows, indent=2, ensure_ascii=False).encode(),
    "pretty objects": lambda rows: "\n".join(json.dumps(row, indent=1) for row in rows).encode(),
    "gzip": lambda rows: gzip.compress(as_jsonl(rows)),
    "utf-16": lambda rows: as_jsonl(rows).decode().encode("utf-16"),
    "parquet": lambda rows: table(rows, "write_parquet"),
    "arrow": lambda rows: table(rows, "write_ipc"),
    "arrow, packed": lambda rows: table(rows, "write_ipc", compression="zstd"),
    "arrow stream": lambda rows: table(rows, "write_ipc_stream"),
    "csv": lambda rows: as_csv(rows, ","),
    "tsv": lambda rows: as_csv(rows, "\t"),
    "semicolons": lambda rows: as_csv(rows, ";"),
}


@pytest.mark.parametrize("form", FORMATS)
@settings(FEW, max_examples=5)
@given(rows=st.lists(TYPED, min_size=1, max_size=4))
def test_every_format_gives_the_same_table(form: str, rows: list[Row], tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(as_jsonl(rows))
    (tmp_path / "other").write_bytes(FORMATS[form](rows))
    place = pl.selectors.by_name("source", "line")
    one, other = (whole_read(tmp_path / name) for name in ("one", "other"))
    assert_frame_equal(
        other.rows.select(*CANONICAL).drop(place), one.rows.select(*CANONICAL).drop(place)
    )
    assert one.counts == other.counts == (len(rows), len(rows), 0, 0, 0)
    if form not in ("array", "pretty array", "pretty objects"):
        assert other.rows["line"].to_list() == one.rows["line"].to_list()


@pytest.mark.parametrize("form", ["parquet", "arrow", "jsonl", "csv"])
def test_our_own_table_comes_back(form: str, tmp_path: Path) -> None:
    """A canonical table that was written out keeps even the places of its rows."""
    first = tmp_path / "first.jsonl"
    first.write_text('{"id":1,"output":"x","tool_calls":[{"name":"f","state":"call"}]}\n{"id":2}')
    found = read_traces(first).collect()
    path = tmp_path / f"second.{form}"
    if form in ("parquet", "arrow"):
        getattr(found, {"parquet": "write_parquet", "arrow": "write_ipc"}[form])(path)
        assert_frame_equal(read_traces(path).collect(), found)


# What is asked for

DUMP = "".join(
    json.dumps(
        {
            "trace_id": f"t{n}",
            "output": "sunny" if n % 3 else None,
            "trial": n % 5,
            "cost": n / 7,
            "tool_calls": [{"name": f"f{n % 4}"}] * (n % 3),
            "city": ["Lyon", "Oslo"][n % 2],
            "n": n,
        }
    )
    + ("\n" if n % 11 else "\n\noops\n")
    for n in range(300)
)
ASKED: dict[str, Callable[[pl.LazyFrame], pl.LazyFrame]] = {
    "columns": lambda t: t.select("output", "trace_id"),
    "one column": lambda t: t.select("n"),
    "places": lambda t: t.select("line", "source"),
    "a filter": lambda t: t.filter(pl.col("trial") == 2),
    "a filter on another column": lambda t: t.filter(pl.col("n") > 200).select("trace_id"),
    "two filters": lambda t: t.filter(pl.col("city") == "Oslo").filter(pl.col("output") == ""),
    "the first": lambda t: t.head(5),
    "the first, of a column": lambda t: t.select("city").head(100),
    "none": lambda t: t.head(0),
    "more than there are": lambda t: t.head(10_000),
    "a slice": lambda t: t.slice(40, 30).select("trace_id"),
    "the last": lambda t: t.tail(7),
    "a filter, then the first": lambda t: t.filter(pl.col("trial") == 4).head(9),
    "the first, then a filter": lambda t: t.head(40).filter(pl.col("trial") == 4),
    "nothing that fits": lambda t: t.filter(pl.col("n") < 0),
    "a new column": lambda t: t.with_columns(x=pl.col("tool_calls").list.len()).select("x", "n"),
    "groups": lambda t: (
        t.group_by("city").agg(pl.len(), pl.col("cost").sum().round(9)).sort("city")
    ),
    "a length": lambda t: t.select(pl.len()),
    "joined to itself": lambda t: t.select("n").join(t.select("n", "city"), on="n").sort("n"),
}


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("asked") / "dump.jsonl"
    path.write_text(DUMP)
    return path


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
@pytest.mark.parametrize("case", ASKED)
def test_asking_first_is_as_asking_after(
    case: str, engine: Any, dump: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "PIECE", 3_000)
    monkeypatch.setattr(blocks, "_BLOCK", 6_000)
    ask = ASKED[case]
    whole = ask(read_traces(dump).collect().lazy()).collect()
    assert_frame_equal(ask(read_traces(dump)).collect(engine=engine), whole)


def test_head_stops_reading(dump: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "PIECE", 500)
    monkeypatch.setattr(blocks, "_BLOCK", 900)
    log = ReadLog()
    assert read_traces(dump, log=log).head(5).collect().height == 5
    assert 5 <= log.lines < 50


def test_only_what_is_asked_for_is_decoded(tmp_path: Path) -> None:
    """A loss in a column that nobody reads is none."""
    path = tmp_path / "dump.jsonl"
    path.write_text('{"trace_id":"a","cost":"cheap"}\n')
    for column, repaired in (("trace_id", 0), ("cost", 1)):
        log = ReadLog()
        read_traces(path, log=log).select(column).collect()
        assert log.repaired == repaired


def test_bytes_are_reported(dump: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    passed: list[int] = []
    monkeypatch.setattr(blocks, "PIECE", 5_000)
    monkeypatch.setattr(blocks, "_BLOCK", 5_000)
    read_traces(dump, log=ReadLog(on_bytes=passed.append)).collect()
    assert sum(passed) == dump.stat().st_size
    assert min(passed) >= 0


# Other columns of the dump

OWN: dict[str, tuple[list[str], pl.DataType, list[Any]]] = {
    "whole": (["1", "null", "-3"], pl.Int64(), [1, None, -3]),
    "floats": (["1", "2.5"], pl.Float64(), [1.0, 2.5]),
    "a float with nan": (["1.5", "NaN"], pl.Float64(), [1.5, None]),
    "truths": (["true", "null", "false"], pl.Boolean(), [True, None, False]),
    "texts": (['"a"', "null"], pl.String(), ["a", None]),
    "nothing": (["null", "null"], pl.String(), [None, None]),
    "whole and text": (["1", '"a"'], pl.String(), ["1", "a"]),
    "truth and whole": (["true", "1"], pl.String(), ["true", "1"]),
    "float and text": (["1.50", '"a"'], pl.String(), ["1.50", "a"]),
    "objects": (['{"a": 1.0}', "null"], pl.String(), ['{"a": 1.0}', None]),
    "lists": (["[1, 2]", '["x"]'], pl.String(), ["[1, 2]", '["x"]']),
    "large": (["9223372036854775808", "1"], pl.String(), ["9223372036854775808", "1"]),
    "the largest": (["9223372036854775807"], pl.Int64(), [2**63 - 1]),
    "numbers in texts": (['"1"', '"2"'], pl.String(), ["1", "2"]),
}


@pytest.mark.parametrize("case", OWN)
def test_other_columns_ride_along(case: str, tmp_path: Path) -> None:
    values, dtype, wanted = OWN[case]
    path = tmp_path / "dump.jsonl"
    path.write_text("".join(f'{{"trace_id":"t","x":{value}}}\n' for value in values))
    found = read_traces(path).collect()
    assert found.columns == [*CANONICAL, "x"]
    assert (found.schema["x"], found["x"].to_list()) == (dtype, wanted)


@pytest.mark.parametrize(
    ("early", "late", "kept"),
    [("1", "2.5", None), ("1", '"2"', 2), ("1.5", '"x"', None), ("true", "0", None),
     ("1", "[1]", None), ('"a"', "2.50", "2.50"), ("true", '"false"', False)],
)  # fmt: skip
def test_a_late_value_of_another_type(early: str, late: str, kept: Any, tmp_path: Path) -> None:
    """The type was told by the first 1,000 records; what does not fit is lost, and counted."""
    path = tmp_path / "dump.jsonl"
    rows = [f'{{"trace_id":"t","x":{value}}}\n' for value in [early] * 1_000 + [late]]
    path.write_text("".join(rows))
    found = whole_read(path)
    assert found.rows["x"].to_list()[-1] == kept
    assert found.rows["x"].null_count() == found.counts[4] == (kept is None)


def test_columns_of_several_files(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id":"a","x":1,"y":true}\n')
    (tmp_path / "b.jsonl").write_text('{"id":"b","x":2.5,"z":"z"}\n')
    pl.DataFrame({"id": ["c"], "x": ["three"]}).write_parquet(tmp_path / "c.parquet")
    one = read_traces(tmp_path / "a.jsonl", tmp_path / "b.jsonl").collect()
    assert one.select("trace_id", "x", "y", "z").rows() == [
        ("a", 1.0, True, None),
        ("b", 2.5, None, "z"),
    ]
    every = read_traces(*sorted(tmp_path.iterdir())).collect()
    assert every["trace_id"].to_list() == ["a", "b", "c"]
    assert every["x"].to_list() == ["1.0", "2.5", "three"]


# Which files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Traces in many places, and files that are none."""
    (tmp_path / "sub").mkdir()
    traces = {
        "b.jsonl": b'{"trace_id":"b1"}\n\n{"trace_id":"b2"}\n',
        "a.ndjson": b'{"trace_id":"a1"}\n',
        "c.json": b'[{"trace_id":"c1"}]',
        "d.jsonl.gz": gzip.compress(b'{"trace_id":"d1"}\n'),
        "e.csv": b"trace_id,output\ne1,x\n",
        "sub/f.jsonl": b'{"trace_id":"f1"}\n',
    }
    others = {
        "README.md": b"# Traces\n",
        "suite.toml": b'[scorers.includes]\nexpected = "x"\n',
        "suite.json": b'{"scorers": {"includes": {"expected": "x"}}}',
        "scores.parquet.quarantine.jsonl": b'{"source":"b.jsonl","line":1,"raw":"x"}\n',
        ".hidden.jsonl": b'{"trace_id":"hidden"}\n',
        "notes.txt": b"{}",
    }
    for name, data in {**traces, **others}.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def ids(*paths: Path | str) -> list[str]:
    return read_traces(*paths).collect()["trace_id"].to_list()


ALL = ["a1", "b1", "b2", "c1", "d1", "e1", "f1"]


def test_a_folder_without_a_json_suite(folder: Path) -> None:
    (folder / "suite.json").unlink()
    assert ids(folder) == ALL


def test_a_folder_passes_over_what_holds_no_traces(folder: Path) -> None:
    assert ids(folder) == ALL


PATTERNS: dict[str, list[str]] = {
    "*.jsonl": ["b1", "b2"],
    "[ab].*": ["a1", "b1", "b2"],
    "?.json": ["c1"],
    "**/*.jsonl": ["b1", "b2", "f1"],
    "*/f.jsonl": ["f1"],
    "[!a-d]*.csv": ["e1"],
    "b.jsonl": ["b1", "b2"],
    "sub": ["f1"],
}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns(pattern: str, folder: Path) -> None:
    (folder / "scores.parquet.quarantine.jsonl").unlink()
    assert ids(f"{folder}/{pattern}") == PATTERNS[pattern]


def test_several_files_in_either_order(folder: Path) -> None:
    one, other = folder / "b.jsonl", folder / "a.ndjson"
    assert ids(one, other) == ["b1", "b2", "a1"]
    assert ids(other, one) == ["a1", "b1", "b2"]
    assert ids(one, folder / "e.csv", other) == ["b1", "b2", "e1", "a1"]
    assert ids(one, other, one) == ["b1", "b2", "a1"]


def test_sources_and_lines(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    log = ReadLog()
    rows = read_traces("b.jsonl", Path("sub"), "e.csv", log=log).select("source", "line").collect()
    wanted = [("b.jsonl", 1), ("b.jsonl", 3), ("sub/f.jsonl", 1), ("e.csv", 1)]
    assert rows.rows() == wanted
    assert log.sources == ["b.jsonl", "sub/f.jsonl", "e.csv"]


@pytest.mark.parametrize("name", ["a[1]", "a*", "a?b", "ü ñ", "a'b", "100%", "-x", "~", "a{b,c}"])
@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".parquet"])
def test_file_names_that_look_like_patterns(
    name: str, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    frame = pl.DataFrame({"id": ["x"]})
    write = {".jsonl": frame.write_ndjson, ".csv": frame.write_csv, ".parquet": frame.write_parquet}
    with (tmp_path / f"{name}{ending}").open("wb") as file:
        write[ending](file)
    assert ids(f"{name}{ending}") == ["x"]


def test_standard_input(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, wanted in {"b.jsonl": ["b1", "b2"], "d.jsonl.gz": ["d1"], "e.csv": ["e1"]}.items():
        with (folder / name).open("rb") as file:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(file))
            found = read_traces("-", folder / "a.ndjson").collect()
        assert found["trace_id"].to_list() == [*wanted, "a1"]
        assert found["source"].to_list()[0] == "-"


def test_a_missing_id_is_the_place(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('\n{"output":"a"}\n{"trace_id":null}\n{"id":""}\n')
    assert ids(tmp_path / "x.jsonl") == ["x.jsonl:2", "x.jsonl:3", ""]
    pl.DataFrame({"id": [None, "k"], "output": "o"}).write_parquet(tmp_path / "y.parquet")
    assert ids(tmp_path / "y.parquet") == ["y.parquet:1", "k"]


def test_the_run_of_all(folder: Path) -> None:
    (folder / "r.jsonl").write_text('{"id":"r","run":"own"}\n{"id":"s"}\n')
    assert read_traces(folder / "r.jsonl").collect()["run"].to_list() == ["own", None]
    found = read_traces(folder / "r.jsonl", folder / "e.csv", run="base").collect()
    assert found["run"].to_list() == ["base"] * 3
    assert found.columns[: len(CANONICAL)] == list(CANONICAL)
    assert dict(list(found.schema.items())[: len(CANONICAL)]) == CANONICAL


MISTAKES: dict[str, tuple[str, type[Exception], str, int]] = {
    "no such file": ("nope.jsonl", MissingFileError, "'.*nope.jsonl': no such file", 2),
    "no such folder": ("nope/x.jsonl", MissingFileError, "nope/x", 2),
    "a pattern without files": ("*.nope", NoFilesError, "'.*nope' names no files", 2),
    "an empty folder": ("empty", NoFilesError, "empty", 2),
    "no layout": ("other.jsonl", UnknownLayoutError, "'foo'.*'trace_id'", 3),
    "no layout in a table": ("other.parquet", UnknownLayoutError, "'foo'", 3),
    "a zip": ("x.zip", UnreadableFileError, "x.zip", 3),
    "half a parquet": ("half.parquet", UnreadableFileError, "half.parquet", 3),
    "half an arrow file": ("half.arrow", UnreadableFileError, "half.arrow", 3),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes(case: str, tmp_path: Path) -> None:
    name, kind, message, code = MISTAKES[case]
    (tmp_path / "empty").mkdir()
    (tmp_path / "other.jsonl").write_text('{"foo":1}\n')
    frame = pl.DataFrame({"foo": [1]})
    frame.write_parquet(tmp_path / "other.parquet")
    (tmp_path / "x.zip").write_bytes(b"PK\x03\x04 and so on")
    (tmp_path / "half.parquet").write_bytes((tmp_path / "other.parquet").read_bytes()[:-20])
    frame.write_ipc(tmp_path / "half.arrow")
    (tmp_path / "half.arrow").write_bytes((tmp_path / "half.arrow").read_bytes()[:60])
    with pytest.raises(kind, match=message) as caught:
        read_traces(name if "://" in name else tmp_path / name)
    assert "\n" not in str(caught.value)
    assert getattr(caught.value, "exit_code", None) == code


# Limits on bad lines


def test_the_first_bad_line_ends_the_read(dump: Path) -> None:
    with pytest.raises(BadLineError, match=r"dump\.jsonl:3: bad line: not JSON"):
        read_traces(dump, log=ReadLog(on_bad_line="fail")).collect()


@pytest.mark.parametrize(("limit", "fine"), [(28, True), (27, False), (0, False), (None, True)])
def test_a_number_of_bad_lines(limit: int | None, fine: bool, dump: Path) -> None:
    log = ReadLog(max_bad_lines=limit)
    if fine:
        read_traces(dump, log=log).collect()
        log.close()
        assert log.quarantined == 28
    else:
        with pytest.raises(TooManyBadLinesError, match=f"{(limit or 0) + 1} bad lines"):
            read_traces(dump, log=log).collect()


@pytest.mark.parametrize(("share", "fine"), [(0.079, True), (0.078, False), (1.0, True)])
def test_a_share_of_bad_lines(share: float, fine: bool, dump: Path) -> None:
    log = ReadLog(max_bad_lines=share)  # 28 of 356 lines
    read_traces(dump, log=log).collect()
    if fine:
        log.close()
    else:
        with pytest.raises(TooManyBadLinesError, match="28 bad lines"):
            log.close()


def test_times_in_records_and_in_tables(tmp_path: Path) -> None:
    spelled = ["2024-05-01T10:00:00+02:00", "2024-05-01 08:00", "1714550400", "1714550400000"]
    (tmp_path / "a.jsonl").write_text(
        "".join(f'{{"id":"x","started_at":"{t}"}}\n' for t in spelled)
    )
    pl.DataFrame({"id": "x", "started_at": spelled}).write_csv(tmp_path / "b.csv")
    base = datetime(2024, 5, 1, 8, tzinfo=UTC)
    for name in ("a.jsonl", "b.csv"):
        found = read_traces(tmp_path / name).collect()["started_at"].to_list()
        assert [time - base for time in found] == [timedelta(0)] * 4
