"""Any frame as the canonical table: its types, states, arguments, paths and times."""

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from batcheval import Scorer, canonical, checks, score
from batcheval.errors import BadPathError, MissingColumnsError
from batcheval.schema import CANONICAL, root
from batcheval.schema.columns import CALL, CALL_SYNONYMS, JSON_TEXT, STATE_WORDS, SYNONYMS
from batcheval.schema.paths import steps
from batcheval.schema.times import to_time


def one(column: str, value: Any, dtype: Any = None) -> Any:
    """What becomes of one value."""
    frame = pl.DataFrame({column: pl.Series([value], dtype=dtype)})
    return canonical(frame).select(column).collect().item()


def call(**fields: Any) -> dict[str, Any]:
    """What becomes of a call of these fields, as Structs and as JSON alike."""
    as_struct, as_json = (
        canonical(frame).select("tool_calls").collect().to_series().to_list()[0]
        for frame in (
            pl.DataFrame({"tool_calls": [[fields]]}),
            pl.DataFrame({"tool_calls": [[fields]]}).select(
                pl.struct("tool_calls")
                .struct.json_encode()
                .str.slice(14)
                .str.head(-1)
                .alias("tool_calls")
            ),
        )
    )
    assert as_struct == as_json
    return as_struct[0]


# Types

FRAMES: dict[str, Any] = {
    "nothing": pl.DataFrame(),
    "no rows": pl.DataFrame(schema={"id": pl.Int64, "output": pl.String}),
    "no rows, odd types": pl.DataFrame(
        schema={
            "id": pl.Float64,
            "output": pl.List(pl.Int8),
            "tool_calls": pl.List(pl.Struct({"name": pl.String})),
            "messages": pl.List(pl.Struct({"role": pl.Int8})),
            "context": pl.String,
            "metadata": pl.Struct({"a": pl.Int8}),
            "started_at": pl.Date,
        }
    ),
    "all null": pl.DataFrame({name: [None, None] for name in CANONICAL}),
    "all null texts": pl.DataFrame({n: pl.Series([None], dtype=pl.String) for n in CANONICAL}),
    "all texts": pl.DataFrame({name: ["1", "x"] for name in CANONICAL}),
    "all whole": pl.DataFrame({name: [1, None] for name in CANONICAL}),
    "all floats": pl.DataFrame({name: [1.5, None] for name in CANONICAL}),
    "all truths": pl.DataFrame({name: [True, None] for name in CANONICAL}),
    "all lists": pl.DataFrame({name: [["a"], None] for name in CANONICAL}),
    "all lists of numbers": pl.DataFrame({name: [[1], []] for name in CANONICAL}),
    "all objects": pl.DataFrame({name: [{"a": 1}, None] for name in CANONICAL}),
    "all lists of objects": pl.DataFrame({name: [[{"name": "f"}], None] for name in CANONICAL}),
    "all bytes": pl.DataFrame({name: [b"x", None] for name in CANONICAL}),
    "all spans": pl.DataFrame({name: [timedelta(seconds=1)] for name in CANONICAL}),
    "all dates": pl.DataFrame({name: [date(2024, 5, 1)] for name in CANONICAL}),
    "all decimals": pl.DataFrame({name: [Decimal("1.10")] for name in CANONICAL}),
    "synonyms": pl.DataFrame({others[-1]: ["x"] for others in SYNONYMS.values()}),
    "structs": pl.DataFrame(
        {
            "id": [1, 2],
            "toolCalls": [[{"toolName": "f", "arguments": {"a": 1}, "isError": True}], None],
            "messages": [[{"role": "user", "content": [{"type": "text", "text": "T"}]}], []],
            "metadata": [{"city": "Lyon"}, None],
        }
    ),
    "json texts": pl.DataFrame(
        {
            "id": ["1"],
            "tool_calls": ['[{"name":"f","args":{"a":1.0}}]'],
            "messages": ['[{"role":"user","content":"hi"}]'],
            "context": ['["a","b"]'],
            "assistant_texts": ["plain"],
            "metadata": ['"{\\"a\\": 1}"'],
        }
    ),
    "categories": pl.DataFrame(
        {"id": ["a"], "model": ["m"], "output": ["x"], "context": [["c"]]},
        schema_overrides={
            "id": pl.Categorical,
            "model": pl.Enum(["m"]),
            "output": pl.Categorical,
            "context": pl.List(pl.Categorical),
        },
    ),
    "small types": pl.DataFrame(
        {"trial": [1], "cost": [0.5], "line": [3], "input_tokens": [7]},
        schema_overrides={"trial": pl.UInt8, "cost": pl.Float32, "line": pl.UInt32},
    ),
    "arrays": pl.DataFrame(
        {"tool_calls": [["f", "g"]], "context": [["a", "b"]]},
        schema={"tool_calls": pl.Array(pl.String, 2), "context": pl.Array(pl.String, 2)},
    ),
    "arrow": pa.table({"id": [1, 2], "query": ["a", None], "tool_calls": [[{"name": "f"}], None]}),
    "arrow with dictionaries": pa.table({"id": pa.array(["x", "x"]).dictionary_encode()}),
    "arrow in chunks": pa.concat_tables([pa.table({"id": ["a"]}), pa.table({"id": ["b"]})]),
    "lazy": pl.LazyFrame({"id": [1], "answer": ["x"]}),
    "further columns": pl.DataFrame({"id": [1], "zz": [2], "a.b": ["x"], "": [None]}),
}  # fmt: skip


@pytest.mark.parametrize("case", FRAMES)
def test_canonical_types_from_any_frame(case: str) -> None:
    frame = FRAMES[case]
    lazy = canonical(frame)
    assert isinstance(lazy, pl.LazyFrame)
    for engine in ("in-memory", "streaming"):
        found = lazy.collect(engine=engine)
        assert found.columns[: len(CANONICAL)] == list(CANONICAL)
        assert dict(found.schema) == dict(lazy.collect_schema())
        assert {name: found.schema[name] for name in CANONICAL} == CANONICAL
        rows = frame.collect() if isinstance(frame, pl.LazyFrame) else frame
        assert found.height == len(rows)
        for name in ("input", "output", "tool_calls", "messages", "context", "assistant_texts"):
            assert not found[name].null_count()
        assert_frame_equal(canonical(found).collect(), found)
        assert canonical(found).collect_schema() == found.schema


def test_canonical_is_lazy() -> None:
    """Nothing is turned that nobody asks for."""

    def explode(values: pl.Series) -> pl.Series:
        raise AssertionError

    odd = pl.col("id").map_batches(explode, return_dtype=pl.Int64)
    frame = pl.LazyFrame({"id": [1], "output": ["x"]}).with_columns(odd.alias("trial"))
    assert canonical(frame).select("output").collect().item() == "x"


def test_further_columns_follow_as_they_are() -> None:
    frame = pl.DataFrame({"zz": [1, 2], "id": [7, 8], "b": [{"c": 1}, None]})
    found = canonical(frame).collect()
    assert found.columns == [*CANONICAL, "zz", "id", "b"]
    assert_frame_equal(found.select("zz", "id", "b"), frame)


@pytest.mark.parametrize(
    ("canon", "other"), [(canon, other) for canon, others in SYNONYMS.items() for other in others]
)
def test_synonyms(canon: str, other: str) -> None:
    value = [{"name": "f"}] if canon == "tool_calls" else "x"
    found = canonical(pl.DataFrame({other: [value]})).collect()[canon].to_list()
    assert found == canonical(pl.DataFrame({canon: [value]})).collect()[canon].to_list()
    assert found not in ([[]], [""], [None])
    beside = pl.DataFrame({other: ["not this"], canon: [value]})
    assert canonical(beside).collect()[canon].to_list() == found


def test_a_missing_id_is_the_place() -> None:
    frame = pl.DataFrame({"source": ["a/b.jsonl", None], "line": [5, 6], "trace_id": [None, None]})
    assert canonical(frame).collect()["trace_id"].to_list() == ["b.jsonl:5", "row:6"]
    no_place = pl.DataFrame({"output": ["x", "y"]})
    assert canonical(no_place).collect()["trace_id"].to_list() == ["row:1", "row:2"]


VALUES: dict[str, tuple[str, Any, Any, Any]] = {
    "float as text": ("output", 1.5, None, "1.5"),
    "truth as text": ("output", True, None, "true"),
    "object as text": ("output", {"a": 1}, None, '{"a":1}'),
    "parts as text": ("output", [{"type": "text", "text": "T"}], None, "T"),
    "list as text": ("output", ["a", "b"], None, '["a","b"]'),
    "large id": ("trace_id", 2**64 - 1, pl.UInt64, "18446744073709551615"),
    "json stays as written": ("metadata", '{"n": 1.0}', None, '{"n": 1.0}'),
    "json in a text": ("metadata", '"{\\"n\\": 1.0}"', None, '{"n": 1.0}'),
    "a struct as json": ("labels", {"n": 1, "s": None}, None, '{"n":1,"s":null}'),
    "whole float": ("trial", 2.0, None, 2),
    "fraction": ("trial", 2.5, None, None),
    "number in a text": ("trial", " 12 ", None, 12),
    "large number in a text": ("trial", "9007199254740993", None, 9007199254740993),
    "fraction in a text": ("trial", "2.5", None, None),
    "too large": ("trial", 2**64 - 1, pl.UInt64, None),
    "no number": ("cost", "cheap", None, None),
    "nan in a text": ("cost", "nan", None, None),
    "a truth is no number": ("cost", True, None, None),
    "decimal": ("cost", Decimal("1.5"), None, 1.5),
    "a list is no number": ("cost", [1], None, None),
    "an object is no number": ("cost", {"a": 1}, None, None),
    "a list is no time": ("started_at", [1], None, None),
    "text for a list": ("context", "plain", None, ["plain"]),
    "json for a list": ("context", '["a",1.0]', None, ["a", "1.0"]),
    "bad json for a list": ("context", "[bad", None, ["[bad"]),
    "null in a list": ("context", ["a", None], None, ["a"]),
    "names": ("names", ["f", "g"], None, ["f", "g"]),
    "bad json for calls": ("names", "{bad", None, []),
    "a null call": ("names", [{"name": "f"}, None], None, ["f"]),
    "a function": ("names", [{"function": {"name": "f", "arguments": "{}"}}], None, ["f"]),
}


@pytest.mark.parametrize("case", VALUES)
def test_values(case: str) -> None:
    column, value, dtype, wanted = VALUES[case]
    name = "tool_calls" if column == "names" else column
    lost: list[tuple[str, int]] = []
    frame = pl.DataFrame({name: pl.Series([value], dtype=dtype)})
    found = canonical(frame, lambda column, count: lost.append((column, count))).collect()[name]
    got = found.to_list()[0]
    assert (got if column != "names" else [call["name"] for call in got]) == wanted
    assert lost == ([(name, 1)] if wanted in (None, []) else [])


# Calls

STATES = [
    *((word, {}, state) for word, state in STATE_WORDS.items()),
    *((word.upper(), {}, state) for word, state in STATE_WORDS.items()),
    *((word, {"error": "x"}, s if s != "ok" else "error") for word, s in STATE_WORDS.items()),
    ("result", {"is_error": True}, "error"),
    ("result", {"isError": True}, "error"),
    ("result", {"result": {"error": "boom"}}, "error"),
    ("call", {"is_error": True}, "pending"),
    ("partial-call", {"error": "boom"}, "partial"),
    ("error", {"is_error": False}, "error"),
    (None, {}, "ok"),
    ("", {}, "ok"),
    ("weird", {}, "ok"),
    ("weird", {"error": "boom"}, "error"),
    (None, {"error": "boom"}, "error"),
    (None, {"errorText": "boom"}, "error"),
    (None, {"error_text": "boom"}, "error"),
    (None, {"error": ""}, "ok"),
    (None, {"error": False}, "ok"),
    (None, {"error": True}, "error"),
    (None, {"error": {"code": 1}}, "error"),
    (None, {"is_error": True}, "error"),
    (None, {"is_error": False}, "ok"),
    (None, {"is_error": 1}, "ok"),
    (None, {"result": {"error": "boom"}}, "error"),
    (None, {"output": {"error": "boom"}}, "error"),
    (None, {"result": {"error": True}}, "error"),
    (None, {"result": {"error": 1}}, "error"),
    (None, {"result": {"error": {"a": 1}}}, "error"),
    (None, {"result": {"error": []}}, "error"),
    (None, {"result": {"error": ""}}, "ok"),
    (None, {"result": {"error": False}}, "ok"),
    (None, {"result": {"error": 0}}, "ok"),
    (None, {"result": {"deep": {"error": "boom"}}}, "ok"),
    (None, {"result": "error"}, "ok"),
    (None, {"result": '{"error":"boom"}'}, "ok"),
    (None, {"result": [{"error": "boom"}]}, "ok"),
]  # fmt: skip


@pytest.mark.parametrize(("word", "signs", "state"), STATES)
def test_states(word: str | None, signs: dict[str, Any], state: str) -> None:
    for key in ("state", *CALL_SYNONYMS["state"]):
        found = call(**{"name": "f", key: word, **signs})
        assert (found["state"], found["state_raw"]) == (state, word)


def test_the_words_of_the_issue() -> None:
    words = {
        "ok": "ok result output-available completed",
        "error": "error output-error failed",
        "pending": "pending call input-available",
        "denied": "denied",
        "partial": "partial partial-call input-streaming",
    }
    for state, known in words.items():
        assert {STATE_WORDS[word] for word in known.split()} == {state}


ARGS: list[tuple[Any, str | None]] = [
    ({"q": "x"}, '{"q":"x"}'),
    ('{"q": 1.0}', '{"q": 1.0}'),
    ('"{\\"q\\": 1.0}"', '{"q": 1.0}'),
    ('"\\"{\\\\\\"q\\\\\\": 1}\\""', '{"q": 1}'),
    ("{bad", "{bad"),
    ("", ""),
    ('"', '"'),
    ('"a', '"a'),
    ("plain", "plain"),
    ('"plain"', "plain"),
    ([1, 2], "[1,2]"),
    (7, "7"),
    (True, "true"),
    (None, None),
]


@pytest.mark.parametrize(("args", "text"), ARGS)
def test_args(args: Any, text: str | None) -> None:
    for key in ("args", *CALL_SYNONYMS["args"]):
        assert call(**{"name": "f", key: args})["args"] == text


@pytest.mark.parametrize(
    ("result", "text"),
    [("x", "x"), ('{"a": 1}', '{"a": 1}'), ('"x"', '"x"'), ({"a": 1}, '{"a":1}'), (1.5, "1.5"),
     ([], "[]"), (None, None), ("", "")],
)  # fmt: skip
def test_results(result: Any, text: str | None) -> None:
    assert call(name="f", result=result)["result"] == text
    assert call(name="f", output=result)["result"] == text


def test_every_field_of_a_call() -> None:
    given = {
        "toolCallId": 7,
        "toolName": "f",
        "message": 3,
        "agent": "planner",
        "parent_id": "p",
        "started_at": "2024-05-01T10:00:00Z",
        "duration_ms": 12,
        "unknown": "x",
    }
    found = call(**given)
    assert list(found) == [field.name for field in CALL.fields]
    assert (found["id"], found["name"], found["message"]) == ("7", "f", 3)
    assert (found["agent"], found["parent_id"], found["duration_ms"]) == ("planner", "p", 12.0)
    assert found["started_at"] == datetime(2024, 5, 1, 10, tzinfo=UTC)


@settings(max_examples=15, deadline=None)
@given(
    args=st.lists(st.text('ab"\\{}[]: 1', max_size=8), min_size=1, max_size=4),
    deep=st.integers(0, 3),
)
def test_encoding_again_changes_nothing(args: list[str], deep: int) -> None:
    """A text that is no JSON string is the same however often it is encoded."""
    plain = [text for text in args if not text.startswith('"')]
    for text in plain:
        encoded = text
        for _ in range(deep):
            encoded = json.dumps(encoded)
        assert call(name="f", args=encoded)["args"] == text
        assert one("metadata", encoded) == text


# Paths

STEPS: dict[str, list[str | int]] = {
    "a": ["a"],
    "a.b": ["a", "b"],
    "a.b.c": ["a", "b", "c"],
    "a[0]": ["a", 0],
    "a[-1].b": ["a", -1, "b"],
    "a[0][1]": ["a", 0, 1],
    'a["b c"]': ["a", "b c"],
    "a['b.c'].d": ["a", "b.c", "d"],
    'a["it\'s"]': ["a", "it's"],
    "a.0": ["a", "0"],
    "é.ü x": ["é", "ü x"],
}
BAD_PATHS = ["a..b", "a.", ".", "a[]", "a[x]", "a[1.5]", 'a["', "a]", "a[", "a[*]", "a[ 0 ]", "a'b"]


@pytest.mark.parametrize("path", STEPS)
def test_steps(path: str) -> None:
    assert steps(path) == STEPS[path]
    assert root(path, {}) == STEPS[path][0]
    assert root(path, {path: 1}) == path


@pytest.mark.parametrize("path", BAD_PATHS)
def test_bad_paths(path: str) -> None:
    with pytest.raises(BadPathError, match="cannot be read from"):
        steps(path)
    with pytest.raises(BadPathError):
        kept(path)


DEEP = (
    '{"city":"Lyon","n":1.0,"o":{"x":[1,{"y":"z"}],"":0},"t":true,"e":null,"s":"","first name":"A"}'
)
TRACES = pl.DataFrame(
    {
        "trace_id": ["a", "b", "c", "d", "e"],
        "metadata": [DEEP, None, "", "[1]", "{bad"],
        "tool_calls": [[{"name": "f", "args": '{"q":"x"}'}, {"name": "g", "args": "{"}], *[[]] * 4],
        "messages": [[{"role": "user", "content": "hi"}], *[[]] * 4],
        "context": [["c0", '{"k":5}'], *[[]] * 4],
        "output": ['{"answer":5}', "plain", "", "{}", "[]"],
        "own": [{"a": {"b": 1}}, *[None] * 4],
        "a.b": [1, 2, 3, 4, 5],
    }
)  # fmt: skip


def kept(path: str) -> list[Any]:
    scorer = Scorer("s", "d", pl.lit(1.0))
    return score(TRACES, [scorer], keep=[path]).collect()[path].to_list()


PATHS: dict[str, Any] = {
    "metadata.city": "Lyon",
    "metadata['city']": "Lyon",
    "metadata.n": "1.0",
    "metadata.o": '{"x":[1,{"y":"z"}],"":0}',
    "metadata.o.x[0]": "1",
    "metadata.o.x[-1].y": "z",
    "metadata.o.x[2]": None,
    "metadata.o.x[-3]": None,
    "metadata.o['']": "0",
    "metadata.t": "true",
    "metadata.e": None,
    "metadata.s": "",
    "metadata.nope": None,
    "metadata.city.nope": None,
    "metadata[0]": None,
    'metadata["first name"]': "A",
    "metadata.first name": "A",
    "tool_calls[0].name": "f",
    "tool_calls[-1].name": "g",
    "tool_calls[2].name": None,
    "tool_calls[0].args.q": "x",
    "tool_calls[1].args.q": None,
    "messages[-1].content": "hi",
    "messages[9].role": None,
    "context[0]": "c0",
    "context[1].k": "5",
    "output.answer": "5",
    "own.a.b": 1,
    "a.b": 1,
}


@pytest.mark.parametrize("path", PATHS)
def test_paths(path: str) -> None:
    found = kept(path)
    assert found[0] == PATHS[path]
    if path == "a.b":
        assert found == [1, 2, 3, 4, 5]
    elif path == "metadata[0]":
        assert found[1:] == [None, None, "1", None]
    else:
        assert found[1:] == [None] * 4


@pytest.mark.parametrize(
    "path", ["metdata.city", "nope", "messages[0].nope", "messages.x", "own.b", ""]
)
def test_paths_that_lead_nowhere(path: str) -> None:
    with pytest.raises(MissingColumnsError, match="keep reads"):
        kept(path)


def test_a_path_as_an_operand() -> None:
    frame = pl.DataFrame({"output": ["in Lyon", "in Oslo"], "metadata": ['{"city":"Lyon"}', None]})
    found = score(frame, [checks.includes(pl.col("metadata.city"))]).collect()
    assert found["includes"].to_list() == [1.0, None]


# Times

NOON = datetime(2024, 5, 1, 12, 0, tzinfo=UTC)
TIMES: list[tuple[Any, datetime | None]] = [
    ("2024-05-01T12:00:00Z", NOON),
    ("2024-05-01T12:00:00z", NOON),
    ("2024-05-01 12:00:00", NOON),
    ("2024-05-01T12:00", NOON),
    ("2024-05-01T12:00Z", NOON),
    ("2024-05-01 12:00:00 UTC", NOON),
    ("2024-05-01t12:00:00", NOON),
    (" 2024-05-01T12:00:00Z ", NOON),
    ("2024-05-01T14:00:00+02:00", NOON),
    ("2024-05-01T14:00:00+0200", NOON),
    ("2024-05-01T06:30:00-05:30", NOON),
    ("2024-05-01T14:00+02:00", NOON),
    ("2024-05-01T12:00:00.5Z", NOON + timedelta(milliseconds=500)),
    ("2024-05-01T12:00:00.123456Z", NOON + timedelta(microseconds=123456)),
    ("2024-05-01T12:00:00.123456789Z", NOON + timedelta(microseconds=123456)),
    ("2024-05-01T12:00:00.000001+00:00", NOON + timedelta(microseconds=1)),
    ("2024-05-01", datetime(2024, 5, 1, tzinfo=UTC)),
    ("1969-12-31T23:59:59Z", datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ("2024-02-29T00:00:00Z", datetime(2024, 2, 29, tzinfo=UTC)),
    ("2023-02-29T00:00:00Z", None),
    ("2024-05-01T25:00:00Z", None),
    ("soon", None),
    ("", None),
    ("1714564800", NOON),
    ("1714564800.5", NOON + timedelta(milliseconds=500)),
    (1714564800, NOON),
    (1714564800.25, NOON + timedelta(milliseconds=250)),
    (1714564800000, NOON),
    (1714564800000000, NOON),
    (1714564800000000123, NOON),
    (1714564800123456789, NOON + timedelta(microseconds=123456)),
    (0, datetime(1970, 1, 1, tzinfo=UTC)),
    (-1, datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)),
    (date(2024, 5, 1), datetime(2024, 5, 1, tzinfo=UTC)),
    (datetime(2024, 5, 1, 12), NOON),
    (NOON, NOON),
    (None, None),
]


@pytest.mark.parametrize(("spelled", "time"), TIMES)
def test_times(spelled: Any, time: datetime | None) -> None:
    assert to_time(pl.Series([spelled])).to_list() == [time]
    assert one("started_at", spelled) == time
    assert call(name="f", started_at=spelled)["started_at"] == time


@settings(max_examples=50, deadline=None)
@given(st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)))
def test_iso_and_epoch_agree_with_python(time: datetime) -> None:
    micros = (time - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    spelled = [time.isoformat(), time.isoformat(" "), time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")]
    assert to_time(pl.Series(spelled)).to_list() == [time] * 3
    if abs(micros) >= 10**14:
        assert to_time(pl.Series([micros])).to_list() == [time]


def test_the_json_columns() -> None:
    assert {*JSON_TEXT} <= {*CANONICAL}
    assert all(CANONICAL[name] == pl.String for name in JSON_TEXT)
