"""Dumps of the wild through `read_traces`: recognised, put together, counted as told."""

import io
import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batcheval import ReadLog, Rules, read_traces
from batcheval.errors import (
    AmbiguousLayoutError,
    BadArgumentError,
    BadMappingError,
    UnknownFormatError,
    UnknownLayoutError,
    UnreadableFileError,
)
from batcheval.readers import Layout, Place, archives, layouts, recognition
from batcheval.readers.grouping import Gatherer
from batcheval.readers.pieces import Whole
from batcheval.schema import CANONICAL

SHARED = Path(__file__).parents[2] / "shared" / "traces"
OWN = Path(__file__).parent / "data" / "traces"


def expectations(folder: Path) -> dict[str, Any]:
    path = folder / "expected_counts.json"
    found: dict[str, Any] = json.loads(path.read_text())["files"] if path.is_file() else {}
    return found


WILD = [(SHARED, name, counts) for name, counts in expectations(SHARED).items()]
KEPT = [(OWN, name, counts) for name, counts in expectations(OWN).items()]


# Where the expected counts leave out what the file says: what differs, and why.
ARGUED: dict[str, dict[str, Any]] = {
    # No TOOL observation; the model's output has the call, a span of its name the result.
    "langfuse/agno-2025-06-11.trace.json": {
        "tool_calls": 1,
        "top_tools": [["duckduckgo_search", 1]],
        "distinct_tools": 1,
        "traces_without_tool_calls": 0,
    },
    "langfuse/langgraph-python-2025-08-22.trace.json": {
        "tool_calls": 1,
        "top_tools": [["Web-Search", 1]],
        "distinct_tools": 1,
        "traces_without_tool_calls": 0,
    },
    # The trace's own output is null; its observations have it.
    "langfuse/crewai-2025-07-11.trace.json": {"traces_without_final_output": 0},
    "langfuse/openai-agents-2025-09-30.trace.json": {"traces_without_final_output": 0},
    # Texts and calls are in span events, where this writer puts them.
    "openinference_spans/openinference_adot_spans.json": {
        "tool_calls": 1,
        "top_tools": [["get_weather", 1]],
        "distinct_tools": 1,
        "traces_without_final_output": 0,
        "traces_without_tool_calls": 1,
    },
    # The output messages are an object, and attributes at the top, instead of a list and a field.
    "otel_genai_spans/gemini-B.llm_call.json": {"traces_without_final_output": 0},
    "otel_genai_spans/otel_genai_client_span_tool_calls.json": {"traces_without_final_output": 0},
}


def counted(table: pl.DataFrame) -> dict[str, Any]:
    """The counts of `expected_counts.json`."""
    lists = [
        [c for c in calls if c["state"] != "partial"] for calls in table["tool_calls"].to_list()
    ]
    calls = [call for made in lists for call in made]
    names = Counter(call["name"] for call in calls)
    return {
        "traces": table.height,
        "tool_calls": len(calls),
        "top_tools": [
            list(n) for n in sorted(names.items(), key=lambda n: (-n[1], n[0] or ""))[:5]
        ],
        "distinct_tools": len(names),
        "tool_calls_with_error": sum(call["state"] == "error" for call in calls),
        "traces_without_final_output": sum(not text.strip() for text in table["output"]),
        "traces_without_tool_calls": sum(not made for made in lists),
    }


@pytest.mark.skipif(not WILD, reason="needs ../shared/traces")
@pytest.mark.parametrize(("folder", "name", "counts"), WILD, ids=[name for _, name, _ in WILD])
def test_files_of_the_wild(folder: Path, name: str, counts: dict[str, Any]) -> None:
    found = counted(read_traces(folder / name).collect(engine="streaming"))
    told = {**counts, **ARGUED.get(name, {})}
    expected = {key: told[key] for key in found if told.get(key) is not None}
    assert {key: found[key] for key in expected} == expected


@pytest.mark.parametrize(("folder", "name", "counts"), KEPT, ids=[name for _, name, _ in KEPT])
def test_files_that_the_project_keeps(folder: Path, name: str, counts: dict[str, Any]) -> None:
    found = counted(read_traces(folder / name).collect(engine="streaming"))
    told = {key: value for key, value in counts.items() if key in found} | ARGUED.get(name, {})
    assert {key: found[key] for key in told} == told


def chat(*messages: tuple[str, str]) -> dict[str, Any]:
    return {"messages": [{"role": role, "content": text} for role, text in messages]}


def write(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


HELLO = chat(("user", "Hello"), ("assistant", "Hi."))


def test_a_layout_is_told_and_its_records_counted(tmp_path: Path) -> None:
    log = ReadLog()
    path = write(tmp_path / "dump.txt", HELLO, HELLO)
    path.write_text(path.read_text() + "\n{broken\n[1]\n")
    table = read_traces(path, log=log).collect()
    assert table["output"].to_list()[:2] == ["Hi.", "Hi."]
    assert table["line"].to_list()[:2] == [1, 2]
    assert list(table.schema) == list(CANONICAL)
    assert log.layouts == {str(path): "openai_chat"}
    assert log.lines == log.rows + log.blank + log.quarantined
    assert (log.blank, log.quarantined) == (1, 1)


def test_each_file_of_a_folder_has_its_own_layout(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", {"trace_id": "t", "input": "Hello", "output": "Native."})
    write(tmp_path / "b.jsonl", HELLO)
    write(tmp_path / "c.json", {"nothing": "of interest"})
    write(tmp_path / "d.jsonl", {"id": "u", "output": "Native too."})
    log = ReadLog()
    table = read_traces(tmp_path, log=log).collect()
    assert table["output"].to_list() == ["Native.", "Hi.", "Native too."]
    assert log.passed_over == [str(tmp_path / "c.json")]
    assert list(log.layouts.values()) == ["openai_chat"]


def test_native_dumps_stay_native(tmp_path: Path) -> None:
    log = ReadLog()
    both = {"trace_id": "t", "input": "Hello", "output": "Mine.", **HELLO}
    table = read_traces(write(tmp_path / "dump.jsonl", both), log=log).collect()
    assert table["output"].to_list() == ["Mine."]
    assert log.layouts == {}


def test_format_by_name(tmp_path: Path) -> None:
    path = write(tmp_path / "dump.jsonl", {"trace_id": "t", "input": "", "output": "x", **HELLO})
    assert read_traces(path, format="openai_chat").collect()["output"].to_list() == ["Hi."]
    assert read_traces(path, format="native").collect()["output"].to_list() == ["x"]
    with pytest.raises(UnknownFormatError, match="did you mean 'openai_chat'"):
        read_traces(path, format="openai_chats")


def test_what_is_of_no_layout(tmp_path: Path) -> None:
    for record in ({"a": 1}, [1, 2], "text", 5):
        with pytest.raises(UnknownLayoutError, match="holds no traces"):
            read_traces(write(tmp_path / "dump.jsonl", record, {"b": 2}))


def test_a_tie_names_both(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = (Layout(name, "", lambda record: 7, lambda record, place: ()) for name in "ab")
    monkeypatch.setattr(recognition, "layouts", lambda: {"a": one, "b": two})
    with pytest.raises(AmbiguousLayoutError, match="'a', 'b': say which with --format"):
        recognition.recognise("dump", [{}])


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "id",
                    "type",
                    "role",
                    "content",
                    "messages",
                    "tool_calls",
                    "function",
                    "name",
                    "arguments",
                    "parts",
                    "traceId",
                    "attributes",
                    "spans",
                    "events",
                    "output",
                    "input",
                    "message",
                    "payload",
                    "sessionId",
                    "uuid",
                    "steps",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_marks_judge_anything(record: Any) -> None:
    for layout in layouts().values():
        assert 0 <= layout.marks(record) <= 10


@given(JSON)
def test_no_record_brings_a_layout_down(record: Any) -> None:
    for layout in layouts().values():
        if not layout.marks(record):
            continue
        try:
            made = list(layout.read(record, Place("dump", 1)))
        except ValueError:
            continue
        msgspec.json.encode(made)


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), JSON), max_size=40), st.integers(0, 3_000))
def test_pieces_come_together(pieces: list[tuple[str, Any]], memory: int) -> None:
    gatherer = Gatherer(memory)
    expected: dict[str, list[Any]] = {}
    for line, (key, value) in enumerate(pieces, 1):
        value = msgspec.json.decode(msgspec.json.encode(value))
        gatherer.put(Whole(key, Place("dump", line), [msgspec.json.encode([value])]))
        expected.setdefault(key, []).append(value)
    found = {whole.key: whole for whole in gatherer.rest()}
    assert {key: whole.held.values for key, whole in found.items()} == expected
    for key, whole in found.items():
        assert pieces[whole.place.line - 1][0] == key
        assert key not in [other for other, _ in pieces[: whole.place.line - 1]]


def archive(**files: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name.replace("_", "/") + ".json", content)
    return data.getvalue()


def test_archives_are_read_within_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.eval"
    path.write_bytes(archive(a=json.dumps(HELLO).encode(), b_c=json.dumps(HELLO).encode()))
    table = read_traces(path).collect()
    assert table["source"].to_list() == [f"{path}!a.json", f"{path}!b/c.json"]
    path.write_bytes(archive(bomb=b'{"messages": "' + b"0" * (40 << 20) + b'"}'))
    with pytest.raises(UnreadableFileError, match="unpacks to over"):
        read_traces(path)
    path.write_bytes(archive(a=json.dumps(HELLO).encode())[:-30])
    with pytest.raises(UnreadableFileError, match="cannot be read"):
        read_traces(path)
    monkeypatch.setattr(archives, "MOST", 5)
    path.write_bytes(archive(a=json.dumps(HELLO).encode()))
    with pytest.raises(UnreadableFileError, match="unpacks to over 5 bytes"):
        read_traces(path)


def test_tables_of_other_layouts(tmp_path: Path) -> None:
    path = tmp_path / "dump.parquet"
    pl.DataFrame([HELLO, HELLO]).write_parquet(path)
    table = read_traces(path).collect()
    assert table["output"].to_list() == ["Hi.", "Hi."]
    assert table["line"].to_list() == [1, 2]


CALLS = [
    {"name": "think", "result": "hm"},
    {"name": "s", "result": "Error: gone", "agent": "helper"},
    {"name": "s", "result": "fine"},
]


def ruled(tmp_path: Path, **choices: Any) -> dict[str, Any]:
    record = {
        "trace_id": "t",
        "input": "Hello",
        "output": "last",
        "assistant_texts": ["first", "last"],
        "tool_calls": CALLS,
    }
    path = write(tmp_path / "dump.jsonl", record)
    row = read_traces(path, rules=Rules(**choices)).collect().row(0, named=True)
    return {**row, "tool_calls": [(c["name"], c["state"]) for c in row["tool_calls"]]}


def test_rules(tmp_path: Path) -> None:
    ok = [("think", "ok"), ("s", "ok"), ("s", "ok")]
    assert ruled(tmp_path)["tool_calls"] == ok
    assert ruled(tmp_path, ignore_tools=["think"])["tool_calls"] == ok[1:]
    assert ruled(tmp_path, subagents="main")["tool_calls"] == [ok[0], ok[2]]
    renamed = ruled(tmp_path, rename_tools={"s": "search"})["tool_calls"]
    assert [name for name, _ in renamed] == ["think", "search", "search"]
    assert ruled(tmp_path, text_errors="^Error")["tool_calls"][1] == ("s", "error")
    assert ruled(tmp_path, output="all")["output"] == "first\n\nlast"
    expected = ruled(tmp_path, answers="expected")
    assert (expected["output"], expected["expected"]) == ("", "last")
    assert expected["tool_calls"] == []
    names = [call["name"] for call in json.loads(expected["expected_tool_calls"])]
    assert names == ["think", "s", "s"]


@pytest.mark.parametrize(
    "choice",
    [
        {"subagents": "some"},
        {"output": "first"},
        {"answers": 1},
        {"text_errors": "("},
        {"ignore_tools": "think"},
    ],
)
def test_rules_that_are_none(choice: dict[str, Any]) -> None:
    with pytest.raises(BadArgumentError):
        Rules(**choice)


MAPPING = """
[mapping]
trace_id = "meta.run_id"
input = "req.messages[0].content"
output = "answer || ''"
model = "join('/', [meta.vendor, meta.model])"
tool_calls = { path = "steps[?kind=='tool']", name = "tool", args = "params", error = "fail" }
"""
RECORD = {
    "meta": {"run_id": 7, "vendor": "v", "model": "m"},
    "req": {"messages": [{"content": "Hello"}]},
    "answer": "Hi.",
    "steps": [
        {"kind": "note"},
        {"kind": "tool", "tool": "search", "params": {"q": [1.0]}},
        {"kind": "tool", "tool": "book", "fail": "full"},
    ],
}


def test_a_mapping_reads_any_json(tmp_path: Path) -> None:
    mapping = tmp_path / "mapping.toml"
    mapping.write_text(MAPPING)
    bare = {"meta": {"run_id": "b", "vendor": "v", "model": "m"}}
    path = write(tmp_path / "dump.jsonl", RECORD, bare, {"meta": None})
    log = ReadLog()
    row, other = read_traces(path, format=str(mapping), log=log).collect().to_dicts()
    assert (row["trace_id"], row["input"], row["output"]) == ("7", "Hello", "Hi.")
    assert row["model"] == "v/m"
    calls = [(call["name"], call["args"], call["state"]) for call in row["tool_calls"]]
    assert calls == [("search", '{"q":[1.0]}', "ok"), ("book", None, "error")]
    assert (other["trace_id"], other["input"], other["tool_calls"]) == ("b", "", [])
    assert log.quarantined == 1  # join() takes no null: the line is set aside with the reason


def test_a_mapping_of_messages_and_of_records(tmp_path: Path) -> None:
    mapping = tmp_path / "mapping.toml"
    mapping.write_text('[mapping]\nrecords = "runs"\ntrace_id = "id"\nmessages = "turns"\n')
    runs = [{"id": n, "turns": HELLO["messages"]} for n in "ab"]
    table = read_traces(write(tmp_path / "d.jsonl", {"runs": runs}), format=str(mapping)).collect()
    assert table["trace_id"].to_list() == ["a", "b"]
    assert table["output"].to_list() == ["Hi.", "Hi."]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no table"),
        ("[mapping]\n", "no table"),
        ("[mapping", "cannot be used"),
        ('[mapping]\ninputs = "a"', "did you mean 'input'"),
        ('[mapping]\ninput = "a["', "'input'"),
        ("[mapping]\ninput = 5", "must be a path, not 5"),
        ('[mapping]\ntool_calls = { name = "a" }', "with a 'path'"),
        ('[mapping]\ntool_calls = { path = "a", nane = "b" }', "did you mean 'name'"),
    ],
)
def test_mappings_that_are_none(tmp_path: Path, text: str, told: str) -> None:
    mapping = tmp_path / "mapping.toml"
    mapping.write_text(text)
    with pytest.raises(BadMappingError, match=told) as caught:
        read_traces(write(tmp_path / "d.jsonl", RECORD), format=str(mapping))
    assert "\n" not in str(caught.value)


def test_a_function_reads_the_odd_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odd_reader.py").write_text(
        "def read(record):\n    return {'trace_id': record['n'], 'output': record['o'].upper()}\n"
    )
    monkeypatch.chdir(tmp_path)
    path = write(tmp_path / "d.jsonl", {"n": "a", "o": "hi"}, {"n": "b"})
    log = ReadLog()
    table = read_traces(path, format="odd_reader:read", log=log).collect()
    assert table["output"].to_list() == ["HI"]
    assert log.quarantined == 1
