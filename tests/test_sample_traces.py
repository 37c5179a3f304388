"""The sample traces are what their generator makes, and hold what their README says."""

import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from batcheval import load_suite, read_traces, score
from batcheval.schema import CANONICAL

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "sample_traces"
CALLS = pl.col("tool_calls")
RIGHT = (
    pl.col("output")
    .str.to_lowercase()
    .str.contains(pl.col("expected").str.to_lowercase(), literal=True)
)
KIND, TIER = (pl.col("metadata").str.json_path_match(f"$.{key}") for key in ("kind", "tier"))


def calls_in(*states: str) -> pl.Expr:
    wanted = pl.element().struct.field("state").is_in(states)
    return CALLS.list.eval(wanted.cast(pl.UInt32)).list.sum().sum()


# What the README's table says of each run, by the first cell of its rows.
FACTS = {
    "traces": pl.len(),
    "crashed: no output, but `error`": (pl.col("output") == "").sum(),
    "answer includes `expected`": RIGHT.sum(),
    "… of the 18 refunds of the tier `plus`": RIGHT.filter(KIND == "refund", TIER == "plus").sum(),
    "… of the 18 other refunds": RIGHT.filter(KIND == "refund", TIER != "plus").sum(),
    "tool calls": CALLS.list.len().sum(),
    "… failed": calls_in("error"),
    "… waiting for a person, or denied": calls_in("pending", "denied"),
    "with `messages`": (pl.col("messages").list.len() > 0).sum(),
    "with `labels`": pl.col("labels").count(),
}


@pytest.fixture(scope="module")
def table() -> pl.DataFrame:
    return pl.read_parquet(SAMPLE / "support_agent.parquet")


def test_files_are_what_the_generator_makes(tmp_path: Path, table: pl.DataFrame) -> None:
    generator = ROOT / "tests" / "make_sample_traces"
    found = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, str(generator), str(tmp_path)], check=True, env=found)
    for name in ("support_agent.jsonl", "repeats.jsonl"):
        assert (tmp_path / name).read_bytes() == (SAMPLE / name).read_bytes()
    assert_frame_equal(pl.read_parquet(tmp_path / "support_agent.parquet"), table)


def test_jsonl_and_parquet_are_the_same_traces(table: pl.DataFrame) -> None:
    read = read_traces(SAMPLE / "support_agent.jsonl").collect()
    assert_frame_equal(read.drop("source"), table.drop("source"))
    assert dict(table.schema) == {**CANONICAL, "reference_answer": pl.String}


def test_readme_tells_the_numbers(table: pl.DataFrame) -> None:
    runs = table.group_by("run").agg(**FACTS).sort("run").drop("run").transpose().rows()
    told = SAMPLE.joinpath("README.md").read_text("utf-8")
    rows = [f"| {name} | {' | '.join(map(str, n))} |" for name, n in zip(FACTS, runs, strict=True)]
    assert [row for row in rows if row not in told] == []


def test_runs_share_their_tasks_and_no_ids(table: pl.DataFrame) -> None:
    assert table["trace_id"].is_unique().all()
    tasks = table.group_by("run").agg(pl.col("task_id").sort(), pl.col("trial").unique())
    assert tasks["task_id"].n_unique() == tasks["trial"].n_unique() == 1
    assert table["expected"].null_count() == table["expected_tool_calls"].null_count() == 0


def test_suite_scores_most_traces_in_both_directions() -> None:
    suite = load_suite(SAMPLE / "suite.toml")
    scores = score(read_traces(SAMPLE / "support_agent.jsonl"), suite.scorers).collect()
    means = scores.select(pl.col(scorer.id).mean() for scorer in suite.scorers).row(0, named=True)
    always = {name for name, mean in means.items() if mean in (0.0, 1.0)}
    assert always == {"deletes_no_account"}


def test_repeats_go_on_from_the_candidate(table: pl.DataFrame) -> None:
    repeats = read_traces(SAMPLE / "repeats.jsonl").collect()
    assert repeats["trace_id"].is_unique().all()
    trials = repeats.group_by("task_id").agg(pl.col("trial").sort().implode(), pl.len())
    assert trials["len"].value_counts().sort("len").rows() == [(3, 6), (6, 24)]
    apart = pl.exclude("source", "line")
    first = repeats.filter(pl.col("trial") == 1).select(apart)
    same = table.filter(pl.col("trace_id").is_in(first["trace_id"])).select(apart)
    assert_frame_equal(first, same)
