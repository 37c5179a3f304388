"""Tables of other layouts: recognised by their shape, and JSON in their cells opened."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from batcheval import ReadLog, read_traces
from batcheval.errors import UnknownLayoutError

CALL = {"id": "c", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
TOLD = [
    {"role": "user", "content": "Sun?"},
    {"role": "assistant", "content": "", "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c", "content": "yes"},
    {"role": "assistant", "content": "Sunny."},
]
TURNS = [{"from": "human", "value": "Sun?"}, {"from": "gpt", "value": "Sunny."}]
COMPLETION = [{"index": 0, "message": TOLD[3], "finish_reason": "stop"}]
OBSERVATION = {"trace_id": "t", "id": "o", "start_time": "2025-01-01", "level": "DEFAULT"}
SPANS = [
    {
        "trace_id": "t",
        "span_id": "1",
        "parent_id": None,
        "name": "weather",
        "start_time_unix_nano": 1,
        "attributes": {"mlflow.spanType": '"TOOL"', "mlflow.spanInputs": "{}"},
    }
]
RUN = {"id": "r", "trace_id": "t", "start_time": "2025-01-01T00:00:00Z", "dotted_order": "a"}
TABLES: dict[str, list[dict[str, Any]]] = {
    "openai_chat": [{"sample": 5, "messages": TOLD, "seed": 7}],
    "sharegpt": [{"sample": 5, "conversations": TURNS}],
    "tau_bench": [{"task_id": 1, "trial": 0, "reward": 1.0, "traj": TOLD, "info": {"task": {}}}],
    "langsmith": [
        {**RUN, "run_type": "chain", "inputs": {"q": "Sun?"}, "outputs": {"output": "Sunny."}},
        {
            **RUN,
            **{"id": "s", "parent_run_id": "r", "dotted_order": "a.b", "run_type": "tool"},
            **{"name": "weather", "inputs": {"input": "{}"}, "outputs": {"output": "yes"}},
        },
    ],
    "langfuse": [
        {**OBSERVATION, "type": "TOOL", "name": "weather", "input": {}, "output": {"a": 1}},
        {**OBSERVATION, "id": "g", "type": "GENERATION", "input": TOLD[:1], "output": TOLD[3]},
    ],
    "mlflow": [
        {
            "trace_id": "t",
            "trace_metadata": {},
            "state": "OK",
            "request": {"messages": TOLD[:1]},
            "response": {"choices": COMPLETION},
            "spans": SPANS,
        }
    ],
    "atif": [
        {
            "schema_version": "ATIF-v1.0",
            "session_id": "s",
            "agent": {"name": "a"},
            "steps": [{"step_id": 1, "source": "agent", "message": "Sunny."}],
        }
    ],
    "claude_code": [
        {
            "type": "assistant",
            "uuid": "u",
            "sessionId": "s",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "Sunny."}]},
        }
    ],
    "azure_eval": [{"query": TOLD[:1], "response": TOLD[1:], "tool_definitions": []}],
}
CALLING = {"openai_chat", "tau_bench", "langsmith", "langfuse", "mlflow", "azure_eval"}


def cells(row: dict[str, Any]) -> dict[str, Any]:
    return {k: json.dumps(v) if isinstance(v, dict | list) else v for k, v in row.items()}


def as_csv(rows: list[dict[str, Any]]) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, names)
    writer.writeheader()
    writer.writerows(map(cells, rows))
    return text.getvalue()


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("is_told", [False, True])
def test_json_in_cells(tmp_path: Path, name: str, kind: str, is_told: bool) -> None:
    path = tmp_path / f"d.{kind}"
    if kind == "csv":
        path.write_text(as_csv(TABLES[name]))
    else:
        rows = [cells(row) for row in TABLES[name]]
        pl.DataFrame(rows, infer_schema_length=None).write_parquet(path)
    log = ReadLog()
    table = read_traces(path, format=name if is_told else None, log=log).collect()
    assert log.layouts == {str(path): name}
    row = table.row(0, named=True)
    assert row["output"] == "Sunny."
    assert [call["name"] for call in row["tool_calls"]] == ["weather"] * (name in CALLING)


def test_texts_that_look_like_json_stay_texts(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    rows = [{"prompt": "Give JSON", "model_output": '{"n": 1.50}', "target": "[1, 2]"}]
    path.write_text(as_csv(rows))
    row = read_traces(path).collect().row(0, named=True)
    assert (row["output"], row["expected"]) == ('{"n": 1.50}', "[1, 2]")
    pl.DataFrame([{"input": "[1]", "output": '{"n": 1.50}'}]).write_csv(path)
    assert read_traces(path).collect()["output"].to_list() == ['{"n": 1.50}']


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("header", ["customer{}region\n", '{}customer{}"net worth"\n'])
def test_a_table_of_something_else_is_told(tmp_path: Path, separator: str, header: str) -> None:
    path = tmp_path / "d.csv"
    width = header.count("{}") + 1
    path.write_text(header.format(*[separator] * width) + separator.join("abc"[:width]) + "\n")
    with pytest.raises(UnknownLayoutError, match=r"its columns are .*'customer'"):
        read_traces(path)


def test_rows_of_unknown_names_are_records(tmp_path: Path) -> None:
    """No name is the native layout's: the header's shape tells the table."""
    path = tmp_path / "d.csv"
    path.write_text('user_query;model_reply\n"Sun;\nshine?";Sunny.\n')
    with pytest.raises(UnknownLayoutError):
        read_traces(path)
    path.write_text('user_query;model_response\n"Sun;\nshine?";Sunny.\n')
    row = read_traces(path).collect().row(0, named=True)
    assert (row["input"], row["output"]) == ("Sun;\nshine?", "Sunny.")


@pytest.mark.parametrize("name", ["conversation", "chat_messages", "messages"])
def test_a_single_column_of_json_is_a_table(tmp_path: Path, name: str) -> None:
    said = [
        {"role": "user", "content": 'He said "hi"'},
        {"role": "assistant", "content": "Hi, all."},
    ]
    table = pl.DataFrame({name: [json.dumps(said)] * 2})
    (tmp_path / "one.csv").write_text(table.write_csv())
    log = ReadLog()
    if name == "chat_messages":  # which no layout knows
        with pytest.raises(UnknownLayoutError, match="its columns are 'chat_messages'"):
            read_traces(tmp_path / "one.csv")
        return
    found = read_traces(tmp_path / "one.csv", log=log).collect()
    assert (found["output"].to_list(), log.quarantined) == (["Hi, all."] * 2, 0)
