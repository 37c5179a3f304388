"""Why one run was scored so: from the command line, and what evidence points at."""

import json
from pathlib import Path

import pytest

from batcheval.explaining.evidence import Span, calls_in, merged, spans_in
from tests.command import Command

SUITE = """
[scorers.private]
check = "pii"

[scorers.calm]
check = "no_tool_errors"

[scorers.safe]
check = "no_destructive_commands"

[scorers.all_there]
check = "includes_all"
expected = ["refund", "sorry", "sunny"]

[gates.private]
every = true

[gates.safe]
min = 0.9
"""
CALLS = [
    {"name": "bash", "args": {"cmd": "ls"}, "result": "a"},
    {"name": "bash", "args": {"cmd": "rm -rf /data"}, "error": "denied\x1b[2J", "state": "error"},
]
SAID = "So sorry! Write to ann@example.com about *the* refund."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Command) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [
        {"trace_id": "t-1", "run": "a", "input": "Refund?", "output": SAID, "tool_calls": CALLS},
        {"trace_id": "t-2", "run": "a", "input": "Sun?", "output": "No."},
        {"trace_id": "t-2", "run": "b", "input": "Sun?", "output": "Yes, sunny."},
    ]
    Path("t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    Path("suite.toml").write_text(SUITE)
    # the gates are missed
    assert run("score", "t.jsonl", "-s", "suite.toml", "-o", "s.parquet", "-q").code == 1
    return tmp_path


def test_a_page_marks_the_evidence(folder: Path, run: Command) -> None:
    ended = run("explain", "s.parquet", "t-1")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("trace t-1, run a, t.jsonl:1\n\nscorer     score        verdict\n")
    for line in (
        "private    0.000        not 1.0",
        "safe       0.000  below min 0.9",
        "private: the output has 'email', and should have no personal data",
        "all_there: missing 'sunny'",
        "    So [[sorry]]! Write to [[ann@example.com]] about *the* [[refund]].",
        "    ^ marked by all_there, private",
        'call 1: bash {"cmd": "ls"}',
        '[[call 2: bash]] {"cmd": "rm -rf /data"}  [ERROR]  <- calm, safe',
        "    denied\\x1b[2J",
    ):
        assert line in ended.out.splitlines(), line
    markdown = run("explain", "s.parquet", "t-1", "--format", "markdown").out
    assert "**ann@example.com**" in markdown.replace("&#8203;", "")
    assert r"about \*the\* **refund**" in markdown


def test_json_has_it_all(folder: Path, run: Command) -> None:
    found = json.loads(run("explain", "s.parquet", "t-1", "--format", "json").out)
    assert [one["score"] for one in found["scores"]] == [0, 0, 0, pytest.approx(2 / 3)] or found
    assert found["calls"] == [{"call": 2, "scorers": ["calm", "safe"]}]
    spans = [(SAID[s["start"] : s["end"]], s["scorers"]) for s in found["spans"]["output"]]
    assert spans == [
        ("sorry", ["all_there"]),
        ("ann@example.com", ["private"]),
        ("refund", ["all_there"]),
    ]
    assert found["trace"]["output"] == SAID


def test_ids_that_are_none_or_several(folder: Path, run: Command) -> None:
    for asked, told in (
        (["t-9"], "no trace has the id 't-9'; near are 't-2', 't-1'"),
        (["t"], "'t-1', 't-2'"),
        (["t-2"], "the id 't-2' stands on 2 rows; name one of its runs with --run: 'a', 'b'"),
        (["t-2", "--run", "c"], "'t-2' is not in the run 'c'"),
    ):
        ended = run("explain", "s.parquet", *asked)
        assert (ended.code, told in ended.err, ended.err.count("\n")) == (3, True, 1), ended
    assert "[[sunny]]" in run("explain", "s.parquet", "t-2", "--run", "b").out
    assert "[[sunny]]" in run("explain", "s.parquet@b", "t-2").out


def test_sources_that_are_gone_or_have_changed(folder: Path, run: Command) -> None:
    Path("t.jsonl").rename("moved.jsonl")
    ended = run("explain", "s.parquet", "t-1")
    assert (ended.code, ended.err.count("\n")) == (3, 1)
    assert "'t.jsonl': no such file" in ended.err
    assert "--traces" in ended.err
    moved = run("explain", "s.parquet", "t-1", "--traces", "moved.jsonl")
    assert "[[ann@example.com]]" in moved.out
    text = Path("moved.jsonl").read_text().replace("ann@example.com", "us")
    Path("t.jsonl").write_text(text)
    ended = run("explain", "s.parquet", "t-1")
    assert "private: the file says 0.000; the trace or the check has changed since" in ended.out


def test_checks_without_a_suite_and_with_another(folder: Path, run: Command) -> None:
    run("score", "t.jsonl", "--check", "excludes('sorry')", "-o", "c.csv", "-q", "--reasons")
    ended = run("explain", "c.csv", "t-1")  # no Parquet, and so no metadata
    assert "note: how 'excludes' was scored is not known" in ended.out
    assert "excludes: the output has 'sorry'" in ended.out
    run("score", "t.jsonl", "--check", "excludes('sorry')", "-o", "c.parquet", "-q")
    ended = run("explain", "c.parquet", "t-1")
    assert "excludes: the output has 'sorry', which it should exclude" in ended.out
    Path("own.toml").write_text('[scorers.excludes]\nunwanted = "refund"\n')
    ended = run("explain", "c.csv", "t-1", "--suite", "own.toml")
    assert "excludes: the output has 'refund', which it should exclude" in ended.out
    assert run("explain", "c.csv", "t-1", "--suite", "no.toml").code == 2
    assert run("explain", "t.jsonl", "t-1").code == 3


def test_spans_and_calls() -> None:
    spans = [*spans_in("İ say No", {"phrase": "no"}, "a"), *spans_in("No", {"found": ["x"]}, "b")]
    assert spans == []  # lower case is of another length there, and nothing stands here
    assert merged([Span(4, 6, ("a",)), Span(0, 4, ("b",)), Span(5, 9, ("b", "c"))]) == [
        Span(0, 4, ("b",)),
        Span(4, 9, ("a", "b", "c")),
    ]
    assert calls_in(
        [{"name": "a", "state": "ok"}], {"calls": [0, 1, 7], "failed_tools": ["a"]}
    ) == [1]
    assert calls_in([], None) == []
