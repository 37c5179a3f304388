"""Dumps, mappings and arguments that are out to do harm."""

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from batcheval import ReadLog, checks, profile, read_traces, score, write_scores, write_traces
from batcheval.errors import (
    BadArgumentError,
    BadMappingError,
    NotCanonicalError,
    NoTracesError,
    UnreadableFileError,
)
from batcheval.report import count_lines, render_profile, render_trace
from batcheval.suite import load_suite

HELLO = {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]}


def dump(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.mark.parametrize(
    "span",
    [
        {"start_time": 1e308},
        {"start_time": 10**400, "end_time": 10**400},
        {"start_time": -1e308, "end_time": 1e308},
        {"attributes": {"gen_ai.output.messages": "[" * 500 + "]" * 500}},
    ],
    ids=["huge", "many digits", "both ends", "deep"],
)
def test_no_span_ends_the_run(tmp_path: Path, span: dict[str, Any]) -> None:
    base = {"name": "x", "span_id": "b", "attributes": {"gen_ai.operation.name": "chat"}}
    records = [{**base, "trace_id": "bad", **span}, {**base, "trace_id": "good", "start_time": 1}]
    log = ReadLog()
    table = read_traces(dump(tmp_path / "spans.jsonl", *records), log=log).collect()
    assert "good" in table["trace_id"].to_list()
    assert log.lines == log.rows + log.blank + log.quarantined


def test_records_that_say_nothing_are_told(tmp_path: Path) -> None:
    path = dump(tmp_path / "d.jsonl", HELLO, 5, "lost", {"foo": 1})
    log = ReadLog()
    assert read_traces(path, format="openai_chat", log=log).collect().height >= 1
    assert log.quarantined == 2
    assert log.lines == log.rows + log.blank + log.quarantined


def test_a_read_that_finds_no_trace_says_why(tmp_path: Path) -> None:
    path = dump(
        tmp_path / "d.jsonl", {"trace_id": "t", "name": "s", "value": 1, "data_type": "NUMERIC"}
    )
    for name, told in (("langfuse", "1 records, read as langfuse, and none of them a trace"),):
        log = ReadLog()
        with pytest.raises(NoTracesError, match=told):
            profile(read_traces(path, format=name, log=log), log)


FUNCTIONS = """
import sys
def numbers(record): return [1, 2]
def objects(record): return {"trace_id": object()}
def halves(record): return {"output": "\\ud83d"}
def leaves(record): sys.exit(7)
def wrong(record): return 1 / 0
def endless(record):
    inner = {}
    inner["output"] = inner
    return inner
"""


@pytest.mark.parametrize("name", ["numbers", "objects", "halves", "leaves", "wrong", "endless"])
def test_a_function_cannot_end_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "hostile_reader.py").write_text(FUNCTIONS)
    monkeypatch.chdir(tmp_path)
    log = ReadLog()
    traces = read_traces(
        dump(tmp_path / "d.jsonl", {"a": 1}), format=f"hostile_reader:{name}", log=log
    )
    with pytest.raises(NoTracesError, match="1 bad; the first is"):
        profile(traces, log)


def test_a_mapping_of_a_thousand_brackets(tmp_path: Path) -> None:
    mapping = tmp_path / "m.toml"
    mapping.write_text(f"[mapping]\noutput = '{'(' * 3000}a{')' * 3000}'\n")
    with pytest.raises(BadMappingError):
        read_traces(dump(tmp_path / "d.jsonl", HELLO), format=str(mapping))


def test_a_suite_of_a_thousand_lists(tmp_path: Path) -> None:
    suite = tmp_path / "s.json"
    deep = "[" * 900 + "]" * 900
    suite.write_text(f'{{"scorers": {{"trajectory": {{"steps": {deep}}}}}}}')
    with pytest.raises(BadArgumentError) as caught:
        load_suite(suite)
    assert "\n" not in str(caught.value)


def test_values_that_cannot_be_shown() -> None:
    deep: Any = []
    for _ in range(5_000):
        deep = [deep]
    for value in (deep, pl.Series(["a", "b"])):
        with pytest.raises(BadArgumentError) as caught:
            checks.tone(value)
        assert "\n" not in str(caught.value)


def test_order_is_never_taken_from_a_set() -> None:
    for check in (checks.trajectory_accuracy, checks.trajectory):
        with pytest.raises(BadArgumentError):
            check({"a", "b", "c"})


@pytest.mark.parametrize("content", ["notes, not traces\n", json.dumps(HELLO) + "\n"])
def test_nothing_foreign_is_appended_to(tmp_path: Path, content: str) -> None:
    out = tmp_path / "notes.jsonl"
    out.write_text(content)
    with pytest.raises(NotCanonicalError, match="no Parquet file"):
        write_traces(pl.DataFrame({"output": ["x"]}), out, existing="append")
    assert out.read_text() == content
    other = tmp_path / "other.parquet"
    pl.DataFrame({"output": ["a"], "cost": ["abc"]}).write_parquet(other)
    before = other.read_bytes()
    with pytest.raises(NotCanonicalError, match="missing or of another type"):
        write_traces(pl.DataFrame({"output": ["x"]}), other, existing="append")
    assert other.read_bytes() == before


def test_no_text_becomes_a_formula(tmp_path: Path) -> None:
    evil = ["=HYPERLINK(1)", "@SUM(A1)", "+1+cmd", "-2+3", "\tx", "-2", "fine"]
    table = pl.DataFrame({"trace_id": evil, "output": "x"})
    write_scores(table, [checks.includes("x")], tmp_path / "s.csv")
    kept = pl.read_csv(tmp_path / "s.csv", infer_schema=False)["trace_id"].to_list()
    assert kept == ["'=HYPERLINK(1)", "'@SUM(A1)", "'+1+cmd", "'-2+3", "'\tx", "-2", "fine"]


def test_no_name_forges_a_page() -> None:
    name = "n\nfake: call\x1b[31m"
    call = {"name": name, "args": "{}", "state": "ok"}
    row = {"trace_id": name, "model": name, "run": name, "output": "x", "tool_calls": [call]}
    frame = pl.DataFrame([row])
    from batcheval import canonical

    page = render_trace(canonical(frame).collect().row(0, named=True))
    assert not any(line.startswith("fake") for line in page.splitlines())
    assert render_profile(profile(frame), "json").isascii()
    lines = count_lines({"lines": 1, "rows": 1, "passed_over": ["a\x1b[31m.json"]})
    assert all(line.isprintable() for line in lines)


def test_an_archive_of_many_large_members_is_not_held(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(30):
            archive.writestr(f"{number}.json", json.dumps({"z": "0" * (3 << 20), **HELLO}))
    from batcheval.readers.contents import ENOUGH, first_records
    from batcheval.readers.paths import Source

    found = first_records(Source(str(path), str(path), path.stat().st_size), "zip")
    assert 1 <= len(found) <= ENOUGH // (3 << 20) + 1
    assert read_traces(path).select("output").collect().height == 30


PACKERS = {"gz": gzip.compress, "zst": lambda data: pa.compress(data, "zstd", asbytes=True)}
ENDLESS = {
    "line": b'{"trace_id":"a","output":"x"}\n{"output":"%s',
    "object": b'{\n"output":"%s',
    "array": b'[{"output":"x"},{"output":"%s',
    "table": b"trace_id,output\na,%s",
}


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("kind", ENDLESS)
def test_a_packed_record_without_end_is_not_held(tmp_path: Path, packer: str, kind: str) -> None:
    path = tmp_path / f"bomb.{packer}"
    path.write_bytes(PACKERS[packer](ENDLESS[kind] % (b"0" * (17 << 20))))
    assert path.stat().st_size < 1 << 16
    with pytest.raises(UnreadableFileError, match="unpacks to over 16,777,216 bytes"):
        profile(read_traces(path))


def test_a_scorer_called_trajectory_is_found_in_every_format(tmp_path: Path) -> None:
    table = pl.DataFrame({"trace_id": ["a"], "output": ["x"]})
    for ending in ("jsonl", "csv", "parquet"):
        written = write_scores(table, [checks.trajectory()], tmp_path / f"s.{ending}")
        assert written.summary["scorer"].to_list() == ["trajectory"]
    assert score(table, [checks.trajectory()]).collect()["trajectory"].to_list() == [1.0]
