"""The pairs that changed: which, in what order, with what texts; and how one reads."""

import json
import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from batcheval import checks, read_traces, write_scores
from batcheval.comparing import regressions, sides, write_regressions
from batcheval.errors import BatchevalError
from batcheval.report import differences, render_pair
from tests.command import Command


def dump(path: str, said: list[str], **more: Any) -> None:
    rows = [
        {"trace_id": f"{path}-{n}", "task_id": f"t{n}", "input": f"Q{n}?", "output": text, **more}
        for n, text in enumerate(said)
    ]
    Path(f"{path}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


OLD = ["sunny", "rain", "sunny", "rain", "so sunny a day"]
NEW = ["rain", "sunny", "sunny", "hail", "a sunny day"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    dump("old", OLD)
    dump("new", NEW)
    for run in ("old", "new"):
        scorers = [checks.includes("sunny"), checks.similarity("sunny")]
        traces = read_traces(f"{run}.jsonl")
        write_scores(traces, scorers, f"{run}.parquet", details=True, reasons=True)
    return tmp_path


def rows_of(*runs: Any, **options: Any) -> pl.DataFrame:
    found = regressions(*runs, **options)
    return pl.concat([found.schema.to_frame(), *found.frames])


def test_both_sides_of_what_changed(folder: Path) -> None:
    found = regressions("old.parquet", "new.parquet")
    (frame,) = found.frames
    assert (found.worse, found.better) == (1, 2)
    assert frame.schema == found.schema
    assert frame["task_id"].to_list() == ["t0", "t1", "t4"]  # the deepest fall first
    first = frame.row(0, named=True)
    assert first["worse"] == ["includes", "similarity"]
    assert (first["better"], first["change"]) == ([], -1.0)
    assert (first["input"], first["base:output"], first["candidate:output"]) == (
        "Q0?",
        "sunny",
        "rain",
    )
    assert (first["base:trace_id"], first["candidate:source"]) == ("old-0", "new.jsonl")
    assert (first["base:includes"], first["candidate:includes"]) == (1.0, 0.0)
    assert first["candidate:includes_reason"] == "the output lacks 'sunny', which it should include"
    assert json.loads(first["candidate:similarity_details"])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("at_once", [2, 50])
def test_it_is_what_the_twin_finds(
    seed: int, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sides, "AT_ONCE", at_once)
    dice = random.Random(seed)
    scores = [[dice.choice([None, float("nan"), 0.0, 0.3, 1.0]) for _ in range(30)] for _ in "abcd"]
    ids = [f"t{n}" for n in range(30)]
    base = pl.DataFrame({"trace_id": ids, "a": scores[0], "b": scores[1]}, strict=False)
    other = pl.DataFrame({"trace_id": ids, "a": scores[2], "b": scores[3]}, strict=False)
    other = other.sample(30, shuffle=True, seed=seed)
    texts = pl.DataFrame({"trace_id": ids, "output": [f"said {n}" for n in ids]})
    expected = []
    partners = {row["trace_id"]: row for row in other.to_dicts()}
    for row in base.to_dicts():
        changes = {}
        for name in "ab":
            pair = row[name], partners[row["trace_id"]][name]
            if all(score is not None and score == score for score in pair):
                changes[name] = round(pair[1] - pair[0], 12)
        worse = [name for name, change in changes.items() if change < 0]
        better = [name for name, change in changes.items() if change > 0]
        if worse or better:
            change = min(changes.values()) if worse else max(changes.values())
            expected.append((row["trace_id"], worse, better, change, f"said {row['trace_id']}"))
    found = rows_of(base, other, traces=texts)
    columns = ["trace_id", "worse", "better", "change", "candidate:output"]
    assert sorted(found.select(columns).rows()) == sorted(expected)
    order = found["change"].to_list()
    assert order == [*sorted(c for c in order if c < 0), *sorted(c for c in order if c > 0)[::-1]]
    few = rows_of(base, other, traces=texts, most=3)
    assert few.rows() == found.head(3).rows()


def test_trials_that_were_averaged_show_the_first() -> None:
    columns = {"task_id": ["a", "a", "b"], "trial": [1, 2, 1], "trace_id": ["x", "y", "z"]}
    base = pl.DataFrame({**columns, "s": [1.0, 0.0, 1.0]})
    other = pl.DataFrame({**columns, "s": [0.0, 0.0, 1.0]})
    texts = pl.DataFrame({"trace_id": ["x", "y", "z"], "output": ["one", "two", "three"]})
    (row,) = rows_of(base, other, key="task_id", traces=texts).to_dicts()
    assert (row["task_id"], row["change"], row["base:output"]) == ("a", -0.5, "one")


def test_texts_that_are_gone(folder: Path) -> None:
    Path("new.jsonl").unlink()
    with pytest.raises(BatchevalError, match=r"'new.jsonl': no such file .*--traces") as caught:
        rows_of("old.parquet", "new.parquet")
    assert caught.value.exit_code == 3
    tables = [pl.DataFrame({"trace_id": ["a"], "s": [s]}) for s in (1.0, 0.0)]
    with pytest.raises(BatchevalError, match="the table of regressions reads 'input', which"):
        rows_of(*tables)
    with pytest.raises(BatchevalError, match="'most' must be 1 or more, not 0"):
        rows_of(*tables, most=0)


def test_nothing_changed(folder: Path) -> None:
    found = regressions("old.parquet", "old.parquet")
    assert (found.worse, found.better, list(found.frames)) == (0, 0, [])
    write_regressions(found, "r.parquet")
    assert pl.read_parquet("r.parquet").schema == found.schema


@pytest.mark.parametrize("ending", ["parquet", "jsonl", "csv"])
def test_a_file_of_them_and_one_of_them(folder: Path, run: Command, ending: str) -> None:
    out = f"r.{ending}"
    ended = run("compare", "old.parquet", "new.parquet", "--resamples", "0", "--regressions", out)
    assert ended.code == 0
    assert ended.out.endswith(f"\n\nregressions: {out} (1 pairs got worse, 2 better)\n")
    page = run("show", out, "t0")
    assert page.code == 0
    assert "base old-0, old.jsonl:1\ncandidate new-0, new.jsonl:1\n" in page.out
    assert "worse: includes, similarity\n" in page.out
    assert "includes    1.000      0.000      -1.000\n" in page.out
    assert "includes, candidate\n    the output lacks 'sunny'" in page.out
    assert "    [-sunny-]{+rain+}\n" in page.out
    assert run("show", out, "new-4").out.endswith("    [-so -]{+a +}sunny [-a -]day\n")
    wrong = run("show", out, "old-99")
    assert (wrong.code, wrong.err.count("\n")) == (3, 1)
    assert "no trace has the id 'old-99'" in wrong.err


def test_files_of_traces_are_shown_as_before(folder: Path, run: Command) -> None:
    assert run("show", "old.jsonl", "old-0").out.startswith("trace old-0\n")


def test_what_regressions_are_not_written_to(folder: Path, run: Command) -> None:
    both = ["compare", "old.parquet", "new.parquet", "--resamples", "0", "--regressions"]
    for told, *wrong in (
        ("'old.parquet' is one of the files that are read", "old.parquet"),
        ("'./new.jsonl' is one of the files that are read", "./new.jsonl"),
        ("its name must end in", "r.txt"),
        ("there is no folder", "gone/r.parquet"),
        ("takes one candidate", "r.parquet", "new.parquet"),
    ):
        ended = run(*both, *wrong)
        assert (ended.code, told in ended.err, ended.err.count("\n")) == (2, True, 1), ended
    Path("new.jsonl").unlink()
    assert run(*both, "r.parquet").code == 3
    assert not Path("r.parquet").exists()
    moved = run(*both, "r.parquet", "--traces", "old.jsonl")
    assert moved.code == 3
    assert "are not where they were" in moved.err


WORDS = ["sun", "rain ", " hail", "\n", "snow"]


@pytest.mark.parametrize("seed", range(20))
def test_differences_make_up_both_texts(seed: int) -> None:
    dice = random.Random(seed)
    old, new = ("".join(dice.choices(WORDS, k=dice.randrange(9))) for _ in "ab")
    told = differences(old, new)
    assert "".join(text for kind, text in told if kind != "new") == old
    assert "".join(text for kind, text in told if kind != "left out") == new
    assert all(text for _, text in told)


def test_a_page_drives_no_terminal_and_is_bounded() -> None:
    row = {"task_id": "t\x1b[2J", "worse": [], "better": ["s"], "base:output": "a\x1b[0m" * 9_000,
           "candidate:output": None, "base:s": None, "candidate:s": 1.0}  # fmt: skip
    page = render_pair(row)
    assert "\x1b" not in page
    assert len(page) < 30_000
    assert "more characters)" in page
    same = render_pair({"worse": [], "better": [], "change": 0.1, "base:output": None})
    assert same.endswith("both outputs are the same")
