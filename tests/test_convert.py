"""Traces written as the canonical table, and what is told of a dump and of one run."""

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from batcheval import ReadLog, canonical, checks, profile, read_traces, write_scores, write_traces
from batcheval.errors import ExistingFileError, NoTracesError, OutputIsInputError
from batcheval.report import render_profile, render_trace
from batcheval.schema import CANONICAL

SAMPLES = Path(__file__).parents[1] / "sample_traces"
AGENT = SAMPLES / "support_agent.jsonl"
FILES = [AGENT, *sorted(p for p in (SAMPLES / "wild").iterdir() if p.suffix != ".md")]


def scores_of(traces: Path, out: Path) -> pl.DataFrame:
    scorers = [checks.includes("the"), checks.no_tool_errors(), checks.called_tool("search")]
    write_scores(read_traces(traces), scorers, out, keep=["model"], details=True)
    return pl.read_parquet(out)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_scores_are_those_of_the_original(path: Path, tmp_path: Path) -> None:
    written = write_traces(read_traces(path), tmp_path / "canonical.parquet")
    told = scores_of(written.path, tmp_path / "a.parquet")
    assert told.equals(scores_of(path, tmp_path / "b.parquet"))
    assert list(pl.read_parquet_schema(written.path))[: len(CANONICAL)] == list(CANONICAL)


@pytest.mark.parametrize("ending", ["parquet", "jsonl", "csv"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_is_read_again_is_the_same_table(path: Path, ending: str, tmp_path: Path) -> None:
    first = read_traces(path).collect()
    again = read_traces(write_traces(first, tmp_path / f"c.{ending}").path).collect()
    assert_frame_equal(again.select(list(CANONICAL)), first.select(list(CANONICAL)))
    assert set(again.columns) == set(first.columns)


WORDS = st.text(max_size=5) | st.sampled_from(["null", '"a"', "[1]", '{"a": 1}', "=1", " ", "1"])
CALLS = st.fixed_dictionaries(
    {"name": st.none() | WORDS, "args": WORDS},
    optional={
        "id": WORDS,
        "result": WORDS,
        "error": WORDS,
        "state": st.sampled_from(["ok", "result", "failed", "pending", "odd"]),
        "duration_ms": st.floats(0, 1e6),
        "message": st.integers(0, 9),
    },
)
ROWS = st.fixed_dictionaries(
    {"trace_id": WORDS, "output": WORDS, "tool_calls": st.lists(CALLS, max_size=3)},
    optional={
        "input": WORDS,
        "expected": WORDS,
        "metadata": WORDS,
        "context": st.lists(WORDS, max_size=2),
        "cost": st.floats(0, 1e9),
        "trial": st.integers(-(2**63), 2**63 - 1),
        "messages": st.lists(st.fixed_dictionaries({"role": WORDS, "content": WORDS}), max_size=2),
        "source": WORDS,
        "line": st.integers(0, 9),
    },
)


@given(st.lists(ROWS, min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_any_table_written_as_json_lines_is_read_again(rows: list[dict[str, Any]]) -> None:
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    with TemporaryDirectory() as folder:
        dump = Path(folder, "dump.jsonl")
        dump.write_text(lines)
        first = read_traces(dump, format="native").collect()
        again = read_traces(write_traces(first, Path(folder, "c.jsonl")).path).collect()
    assert_frame_equal(again.select(list(CANONICAL)), first.select(list(CANONICAL)))


def test_records_that_have_places_of_their_own_keep_ours(tmp_path: Path) -> None:
    dump = tmp_path / "dump.jsonl"
    dump.write_text('{"trace_id":"a","source":"survey","line":7}\n')
    (place,) = read_traces(dump).select("source", "line").collect().rows()
    assert place == (str(dump), 1)


def test_an_existing_file_is_not_replaced_unasked(tmp_path: Path) -> None:
    out = tmp_path / "canonical.parquet"
    write_traces(read_traces(AGENT), out)
    before = out.read_bytes()
    with pytest.raises(ExistingFileError, match="--append or --overwrite"):
        write_traces(read_traces(AGENT), out)
    assert out.read_bytes() == before
    assert write_traces(read_traces(AGENT), out, existing="overwrite").counts["written"] == 300
    more = pl.DataFrame({"trace_id": ["late"], "output": ["Hi."], "colour": ["red"]})
    counts = write_traces(more, out, existing="append").counts
    assert (counts["rows"], counts["written"]) == (1, 301)
    table = read_traces(out).collect()
    assert table["trace_id"][-1] == "late"
    assert table["colour"].to_list() == [None] * 300 + ["red"]
    assert table["source"][0] == str(AGENT)  # where it came from, not where it is now


def test_appending_twice_is_told_as_repeats(tmp_path: Path) -> None:
    out = tmp_path / "canonical.parquet"
    write_traces(read_traces(AGENT), out)
    repeated = write_traces(read_traces(AGENT), out, existing="append").counts["repeated_ids"]
    assert repeated["ids"] == 300
    assert repeated["examples"]


def test_nothing_is_written_of_nothing(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n")
    with pytest.raises(NoTracesError):
        write_traces(read_traces(empty), tmp_path / "canonical.parquet")
    log = ReadLog()
    with pytest.raises(OutputIsInputError):
        write_traces(read_traces(empty, log=log), empty, existing="overwrite", log=log)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["empty.jsonl"]


def counted_slowly(rows: list[dict[str, Any]]) -> dict[str, Any]:
    calls = [call for row in rows for call in row["tool_calls"]]
    names = {call["name"] for call in calls}
    return {
        "traces": len(rows),
        "tools": {
            name: (
                sum(call["name"] == name for call in calls),
                sum(call["name"] == name and call["state"] == "error" for call in calls),
                sum(any(call["name"] == name for call in row["tool_calls"]) for row in rows),
            )
            for name in names
        },
        "without_output": sum(not row["output"].strip() for row in rows),
        "failed": sum(row["error"] is not None for row in rows),
        "models": {m: sum(row["model"] == m for row in rows) for m in {r["model"] for r in rows}},
        "longest": max(len(row["output"]) for row in rows),
        "cost": sum(row["cost"] or 0 for row in rows),
    }


def test_a_profile_counts_as_plain_python_does() -> None:
    table = read_traces(AGENT)
    slow = counted_slowly(table.collect().to_dicts())
    fast = profile(table)
    assert {t["name"]: (t["calls"], t["errors"], t["traces"]) for t in fast["tools"]} == slow[
        "tools"
    ]
    assert {m["name"]: m["traces"] for m in fast["models"]} == slow["models"]
    assert fast["lengths"]["output"]["max"] == slow["longest"]
    assert fast["cost"] == pytest.approx(slow["cost"])
    for key in ("traces", "without_output", "failed"):
        assert fast[key] == slow[key]


def test_a_profile_of_many_frames_is_that_of_one() -> None:
    table = read_traces(AGENT).collect()
    pieces = pl.concat([table[n : n + 1].lazy() for n in range(0, 300, 3)])
    whole = profile(pl.concat([table[n : n + 1] for n in range(0, 300, 3)]))
    several = profile(pieces)
    assert several.pop("cost") == pytest.approx(whole.pop("cost"))
    assert several == whole


def test_a_profile_reads_well_even_of_nothing() -> None:
    found = profile(pl.DataFrame(schema={"trace_id": pl.String, "output": pl.String}))
    assert render_profile(found).startswith("0 traces")
    assert json.loads(render_profile(found, "json"))["traces"] == 0
    page = render_profile(profile(read_traces(AGENT, log=(log := ReadLog())), log))
    assert "get_order            252    6.7%     220" in page
    assert page.endswith("300 lines: 300 rows; 6 without output")


GAPS = [
    {"trace_id": "0" * 32, "input": "a", "output": "b", "tool_calls": [{"name": "f"}]},
    {"trace_id": "00000000-0000-0000-0000-000000000000", "input": " ", "output": ""},
    {"trace_id": "0001", "input": "", "output": "b", "expected": "b"},
    {"trace_id": "7", "tool_calls": [{"name": "f", "result": "1"}, {"name": "g", "error": "no"}]},
]


def test_a_profile_tells_the_gaps() -> None:
    found = profile(pl.DataFrame(GAPS))
    told = ("without_input", "without_output", "with_expected", "with_zero_id", "unpaired")
    assert [found[key] for key in told] == [3, 2, 1, 2, {"results": 0, "calls": 1}]
    page = render_profile(found)
    assert re.search("without input +3 +75.0%", page)
    assert re.search("calls without a result +1\n", page)
    assert "warning: 2 traces have an id of zeros, which tells no trace from another" in page


CHAT = {
    "messages": [
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "weather"}}]},
        {"role": "tool", "tool_call_id": "1", "content": "sun"},
        {"role": "tool", "tool_call_id": "2", "content": "rain"},
        {"role": "assistant", "tool_calls": [{"id": "3", "function": {"name": "weather"}}]},
    ]
}


def test_results_without_a_call_are_told(tmp_path: Path) -> None:
    dump = tmp_path / "chat.jsonl"
    dump.write_text((json.dumps(CHAT) + "\n") * 2)
    log = ReadLog()
    table = read_traces(dump, log=log)
    for _ in range(2):  # counted anew each time
        found = profile(table, log)
        assert found["unpaired"] == {"results": 2, "calls": 2}
    assert found["layouts"] == [{"name": "openai_chat", "files": 1}]
    assert "2 rows; 2 without output; 2 results without a call" in render_profile(found)
    (messages,) = table.head(1).collect()["messages"].to_list()
    assert "rain" in [message["content"] for message in messages]  # told, and not lost


@pytest.mark.parametrize("format", ["text", "markdown"])
def test_a_page_shows_twenty_of_a_kind(format: Any) -> None:
    traces = pl.DataFrame({"trace_id": ["t"] * 25, "model": [f"m|{n}" for n in range(25)]})
    page = render_profile(profile(traces), format)
    assert "and 5 more" in page
    assert (r"| m\|1 | 1 |" in page) == (format == "markdown")


def test_lines_set_aside_before_stay_when_more_is_appended(tmp_path: Path) -> None:
    out, aside = tmp_path / "c.parquet", tmp_path / "c.parquet.quarantine.jsonl"
    dumps = [tmp_path / f"{name}.jsonl" for name in "abc"]
    for dump, bad in zip(dumps, ("oops\n", "", "again\n"), strict=True):
        dump.write_text(f'{{"trace_id":"{dump.stem}","output":"x"}}\n{bad}')
    kept = [["oops"], ["oops"], ["oops", "again"]]
    for dump, lines, existing in zip(dumps, kept, ("refuse", "append", "append"), strict=True):
        log = ReadLog()
        write_traces(read_traces(dump, log=log), out, existing=existing, log=log)  # type: ignore[arg-type]
        assert [json.loads(line)["raw"] for line in aside.read_text().splitlines()] == lines
    log = ReadLog()
    write_traces(read_traces(dumps[1], log=log), out, existing="overwrite", log=log)
    assert not aside.exists()


def test_the_file_is_read_again_only_for_repeated_ids(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*paths: object, **options: object) -> None:
        raise AssertionError(paths)

    table = read_traces(AGENT)
    monkeypatch.setattr("batcheval.writing.convert.read_traces", stop)
    assert write_traces(table, tmp_path / "c.parquet").counts["repeated_ids"]["ids"] == 0


def test_a_run_cannot_drive_the_terminal() -> None:
    evil = "\x1b[2J\x1b]0;owned\x07 \u202e"
    call = {"name": evil, "args": evil, "result": evil, "state": "error"}
    row = {"trace_id": evil, "input": evil, "output": evil, "expected": evil, "tool_calls": [call]}
    page = render_trace(canonical(pl.DataFrame([row])).collect().row(0, named=True))
    assert all(char.isprintable() or char == "\n" for char in page)
    assert "[ERROR]" in page
    text = render_profile(profile(pl.DataFrame([row])))
    assert all(char.isprintable() or char == "\n" for char in text)


def test_a_long_text_is_cut() -> None:
    row = canonical(pl.DataFrame({"trace_id": ["t"], "output": ["x" * 10_000]})).collect()
    assert "… (6,000 more characters)" in render_trace(row.row(0, named=True))
