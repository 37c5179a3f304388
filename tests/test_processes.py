"""Reading over several processes: the same bytes, bounded memory, one line where it fails."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from batcheval import ReadLog, read_traces
from batcheval.errors import BadLineError, WorkerDiedError
from batcheval.readers import records, tasks
from batcheval.readers.blocks import Block
from batcheval.readers.processes import pool
from batcheval.readers.records import Translator
from batcheval.readers.tasks import Part

ROOT = Path(__file__).parents[1]
OWN = ROOT / "tests" / "data" / "traces"


def chat(number: int) -> dict[str, Any]:
    call = {"id": "a", "function": {"name": "f", "arguments": f'{{"n": {number}}}'}}
    return {
        "id": f"t{number}",
        "messages": [
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "a", "content": {"n": number}},
            {"role": "assistant", "content": f"{number}."},
        ],
    }


def span(trace: int, name: str) -> dict[str, Any]:
    """A span of a trace whose other one is far away."""
    kind = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
    return {"trace_id": f"t{trace}", "span_id": f"{trace}{name}", "name": name, "attributes": kind}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Dumps of several layouts: records, traces over many lines, bad lines, sessions."""
    lines = [json.dumps(chat(number)) for number in range(400)]
    lines[7], lines[300] = "{broken", ""
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    spans = [json.dumps(span(n, name)) for name in "fg" for n in range(300)]
    (tmp_path / "b.jsonl").write_text("\n".join(spans))
    for layout in ("claude_code", "inspect", "mastra"):
        for file in (OWN / layout).iterdir():
            (tmp_path / f"{layout}-{file.name}").write_bytes(file.read_bytes())
    return tmp_path


def read(folder: Path, **options: Any) -> tuple[pl.DataFrame, ReadLog]:
    log = ReadLog(**options)
    return read_traces(folder, log=log).collect(), log


def test_the_same_with_one_process_and_with_two(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "ENOUGH", 20_000)
    monkeypatch.setattr(tasks, "_MOST", 40_000)
    alone, log = read(folder)
    monkeypatch.setattr(records, "workers_for", lambda size: 2)
    together, log_of_two = read(folder)
    assert alone.equals(together)
    assert alone.serialize() == together.serialize()
    assert log == log_of_two
    assert (log.quarantined, log.blank) == (1, 1)
    calls = alone.filter(pl.col("source").str.ends_with("b.jsonl"))["tool_calls"]
    assert calls.list.len().to_list() == [2] * 300
    with pytest.raises(BadLineError, match=r"a\.jsonl:8"):  # and the workers end
        read(folder / "a.jsonl", on_bad_line="fail")


def test_tasks_are_cut_anyhow(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, log = read(folder)
    monkeypatch.setattr(tasks, "ENOUGH", 1)
    monkeypatch.setattr(tasks, "_MOST", 1)
    cut, log_of_cut = read(folder)
    assert cut.equals(whole)
    assert log == log_of_cut


WORK = """
import os, signal, time

def work(task):
    number, seconds = task
    time.sleep(seconds)
    if number < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 99:
        raise ValueError("no such number")
    print("said by a worker")
    return number

def make():
    return work
"""


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What gives the work above, of a module that other processes find as well."""
    (tmp_path / "work_of_a_test.py").write_text(WORK)
    monkeypatch.syspath_prepend(str(tmp_path))
    return import_module("work_of_a_test").make


def test_results_come_in_order_and_few_tasks_wait(make: Any) -> None:
    taken = 0

    def told() -> Iterator[tuple[int, float]]:
        nonlocal taken
        for number in range(12):
            taken += 1
            yield number, 0.05 * (number % 3 == 0)

    with pool(make, 2) as in_order:
        for place, result in enumerate(in_order(told())):
            assert result == place
            assert taken <= place + 4
        assert list(in_order([(5, 0.0)])) == [5]
        with pytest.raises(ValueError, match="no such number"):
            list(in_order([(99, 0.0)]))
        with pytest.raises(WorkerDiedError, match=r"ended early \(signal 9\)"):
            list(in_order([(-1, 0.0)]))


SCRIPT = """
import sys
from batcheval import read_traces
from batcheval.readers import records
print("started")
records.workers_for = lambda size: 2
print(read_traces(sys.argv[1]).select("output").collect().height)
"""


def test_a_script_needs_no_guard(tmp_path: Path) -> None:
    dump, script = tmp_path / "dump.jsonl", tmp_path / "script.py"
    dump.write_text("".join(json.dumps(chat(number)) + "\n" for number in range(50)))
    script.write_text(SCRIPT)
    argv = [sys.executable, str(script), str(dump)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    said = subprocess.run(argv, env=environment, check=True, capture_output=True, text=True)
    assert (said.stdout, said.stderr) == ("started\n50\n", "")


@pytest.mark.parametrize("content", [{"n": 1.0}, "[1, 2]", None, 5])
def test_a_task_by_itself(content: Any) -> None:
    record = json.dumps({**chat(1), "id": content}).encode()
    part = Part("openai_chat", "dump", Block([record], [1], 0, None, True), True, True)
    layouts = {"openai_chat": records.layouts()["openai_chat"]}
    found = Translator(layouts, {"trace_id": pl.String()})([part])
    [frame] = found.frames
    assert frame["trace_id"].dtype == pl.String
    assert (found.log.rows, found.pieces, found.ended) == (1, [], [])
