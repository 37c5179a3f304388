"""Traces written as the canonical table, and what is told of a dump and of one run."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

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


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_other_formats_hold_the_same_texts(ending: str, tmp_path: Path) -> None:
    out = write_traces(read_traces(AGENT), tmp_path / f"canonical.{ending}").path
    again, first = (read_traces(path, format="native").collect() for path in (out, AGENT))
    same = ["trace_id", "input", "output", "expected", "cost", "started_at", "metadata"]
    assert again.select(same).equals(first.select(same))
    names = pl.col("tool_calls").list.eval(pl.element().struct.field("name"))
    assert again.select(names).equals(first.select(names))


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
