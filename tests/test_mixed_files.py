"""Files of records of several layouts, and files read as what they are not."""

import json
from pathlib import Path
from typing import Any

import pytest

from batcheval import ReadLog, profile, read_traces
from batcheval.errors import NothingReadError, WrongFormatError

NATIVE = {"trace_id": "n", "input": "Sun?", "output": "Sunny.", "metadata": {"a": 1.5}}
CHAT = {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]}
SPAN = {
    "trace_id": "s",
    "span_id": "1",
    "name": "chat",
    "attributes": {"gen_ai.operation.name": "chat", "gen_ai.completion": "span"},
}
CODE = {
    "type": "assistant",
    "uuid": "u",
    "sessionId": "c",
    "message": {"role": "assistant", "content": [{"type": "text", "text": "code"}]},
}
RECORDS = {"native": (NATIVE, "Sunny."), "chat": (CHAT, "a"), "span": (SPAN, "span")}
RECORDS["code"] = CODE, "code"


def write(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.mark.parametrize("one", RECORDS)
@pytest.mark.parametrize("other", RECORDS)
@pytest.mark.parametrize("many", [1, 5])
def test_each_record_is_read_by_its_layout(tmp_path: Path, one: str, other: str, many: int) -> None:
    (record, text), (rest, said) = RECORDS[one], RECORDS[other]
    path = write(tmp_path / "d.jsonl", *[record] * many, rest, record)
    log = ReadLog()
    table = read_traces(path, log=log).collect()
    assert set(table["output"].to_list()) == {text, said}
    assert log.idle == 0
    assert log.lines == log.rows == table.height


@pytest.mark.parametrize("late", [name for name in RECORDS if name != "native"])
@pytest.mark.parametrize("columns", [["output"], ["trace_id"], ["input", "cost"]])
def test_a_late_record_of_another_layout_is_set_aside(
    tmp_path: Path, late: str, columns: list[str]
) -> None:
    """Behind the first records of a native file, whatever columns are asked for."""
    record, _ = RECORDS[late]
    path = write(tmp_path / "d.jsonl", *[NATIVE] * 60, record, {"foo": 1}, {"trace_id": "crashed"})
    log = ReadLog()
    assert read_traces(path, log=log).select(columns).collect().height == 61
    assert (log.quarantined, log.lines, log.rows) == (2, 63, 61)
    assert log.first_bad is not None
    assert "layout" in log.first_bad.reason


@pytest.mark.parametrize("name", [name for name in RECORDS if name != "native"])
def test_native_records_that_come_late(tmp_path: Path, name: str) -> None:
    record, text = RECORDS[name]
    log = ReadLog()
    path = write(tmp_path / "d.jsonl", *[record] * 60, NATIVE, {"foo": 1})
    table = read_traces(path, log=log).collect()
    assert set(table["output"].to_list()) == {text, "Sunny."}
    assert log.idle == 1


def test_native_records_among_others_keep_their_columns(tmp_path: Path) -> None:
    native = {"id": 7, "question": "Sun?", "answer": "Yes.", "toolCalls": [{"toolName": "t"}]}
    native |= {"expected": "yes", "mine": 5}
    table = read_traces(write(tmp_path / "d.jsonl", *[native] * 3, CHAT)).collect()
    row = table.row(0, named=True)
    assert (row["trace_id"], row["input"], row["output"]) == ("7", "Sun?", "Yes.")
    assert (row["expected"], row["mine"], row["tool_calls"][0]["name"]) == ("yes", 5, "t")


def test_a_run_that_said_nothing_is_a_row(tmp_path: Path) -> None:
    """An empty conversation is of its layout, and a failed one too."""
    empty, failed = {"id": "e", "messages": []}, {"id": "x", "error": "b"}
    path = write(tmp_path / "d.jsonl", *[CHAT] * 9, empty, failed)
    log = ReadLog()
    table = read_traces(path, log=log).collect()
    assert log.layouts == {str(path): "openai_chat"}
    assert table["trace_id"].to_list()[9:] == ["e", "x"]
    assert log.idle == 0


@pytest.mark.parametrize("name", ["langfuse", "claude_code", "otlp_json", "inspect", "atif"])
@pytest.mark.parametrize("record", ["native", "chat"])
def test_a_wrong_format_is_told(tmp_path: Path, name: str, record: str) -> None:
    path = write(tmp_path / "d.jsonl", RECORDS[record][0])
    with pytest.raises(WrongFormatError, match=f"is not of the layout '{name}'") as caught:
        read_traces(path, format=name)
    assert caught.value.exit_code == 3
    assert "\n" not in str(caught.value)


def test_records_that_are_not_of_a_format_are_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "d.jsonl", CHAT, NATIVE, {"foo": 1}, SPAN)
    log = ReadLog()
    assert read_traces(path, format="openai_chat", log=log).collect()["output"].to_list() == ["a"]
    assert (log.records, log.idle) == (4, 3)
    with pytest.raises(WrongFormatError, match="look like 'openai_chat'"):
        read_traces(write(path, CHAT), format="native")


def test_a_folder_passes_over_what_is_of_another_format(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", CHAT)
    other = write(tmp_path / "b.jsonl", CODE)
    log = ReadLog()
    profile(read_traces(tmp_path, format="openai_chat", log=log), log)
    assert log.passed_over == [str(other)]


def test_sessions_go_by_the_id_in_their_file_name(tmp_path: Path) -> None:
    id = "5973b6c0-94b8-487b-a530-2aeb6098ae0e"
    said = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "x"}],
    }
    line = {"timestamp": "2025-05-07T17:24:21Z", "type": "response_item", "payload": said}
    for name in (f"rollout-a-{id}", f"rollout-b-{id}", "mine", "yours"):
        write(tmp_path / f"{name}.jsonl", line)
    log = ReadLog()
    table = read_traces(tmp_path, log=log).collect()
    assert sorted(table["trace_id"].to_list()) == [id, id, "mine", "yours"]
    assert (log.nameless, log.copies) == (2, [str(tmp_path / "yours.jsonl")])


def test_a_format_by_which_nothing_is_read_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "d.jsonl", *[{"type": "turn.started"}] * 3)
    with pytest.raises(NothingReadError, match="none of 3 records is part of a trace"):
        read_traces(path, format="codex_rollout").collect()
    done = {"type": "item.completed", "item": {"id": "1", "type": "agent_message", "text": "Hi."}}
    log = ReadLog()
    path = write(tmp_path / "d.jsonl", *[{"type": "turn.started"}] * 3, done)
    assert read_traces(path, format="codex_rollout", log=log).collect()["output"].to_list() == [
        "Hi."
    ]
    assert (log.records, log.idle) == (4, 3)
