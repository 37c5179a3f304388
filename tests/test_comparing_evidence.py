"""What scores do not hold, looked up in their traces; and traces that are scored first."""

import json
import re
import statistics
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from batcheval import checks, compare, read_traces, write_scores
from batcheval.comparing import are_scores
from batcheval.comparing.buckets import sliced
from batcheval.comparing.evidence import shortened
from batcheval.errors import BatchevalError
from tests.command import Command

LONG = "Please tell me, at the greatest length that you can bear, where my parcel is by now. " * 3


def rows(run: str, said: str, **more: list[Any]) -> list[dict[str, Any]]:
    return [
        {
            "trace_id": f"{run}{n}",
            "run": run,
            "input": LONG + str(n) if n % 2 else f"Short {n}?",
            "output": said * (n + 1),
            "model": "m-large" if n < 4 else "m-small",
            "metadata": {"city": "Lyon" if n % 3 else "Bern", "n": n * 10},
            "tool_calls": [{"name": name} for name in ("find", "buy", "buy")[: n % 4]],
            **{key: values[n] for key, values in more.items()},
        }
        for n in range(12)
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two runs, `old` and `new`, whose traces share neither tasks nor ids, and their scores."""
    monkeypatch.chdir(tmp_path)
    for run, said in (("old", "rain "), ("new", "sunny ")):
        text = "".join(json.dumps(row) + "\n" for row in rows(run, said))
        Path(f"{run}.jsonl").write_text(text)
        write_scores(read_traces(f"{run}.jsonl"), [checks.includes("sunny")], f"{run}.parquet")
    return tmp_path


def test_runs_pair_by_their_inputs_at_last(folder: Path) -> None:
    found = compare("old.parquet", "new.parquet")
    assert (found.key, found.pairs) == (("input",), 12)
    assert found.made_by == "rows with the same 'input'"
    assert found.scorers["difference"].item() == 1.0
    write_scores(
        read_traces("old.jsonl"), [checks.includes("sunny")], "kept.parquet", keep=["input"]
    )
    assert compare("kept.parquet", "new.parquet").pairs == 12  # kept here, looked up there


def test_inputs_that_repeat_are_refused(folder: Path) -> None:
    again = [*rows("old", "rain"), rows("old", "rain")[1] | {"trace_id": "x"}]
    Path("old.jsonl").write_text("".join(json.dumps(row) + "\n" for row in again))
    write_scores(read_traces("old.jsonl"), [checks.includes("sunny")], "old.parquet")
    begin = re.escape(f"1 key stands on several rows: input '{LONG[:50]}… #")
    with pytest.raises(BatchevalError, match=rf"{begin}\d+' \(2 rows\)"):
        compare("old.parquet", "new.parquet")


def test_rows_without_an_input_do_not_pair(folder: Path) -> None:
    silent = [row | {"input": ""} if n < 3 else row for n, row in enumerate(rows("new", "x"))]
    Path("new.jsonl").write_text("".join(json.dumps(row) + "\n" for row in silent))
    found = compare("old.parquet", "new.parquet")
    assert (found.pairs, found.candidate_rows.without_key) == (9, 3)


def test_shortened_texts_differ_as_the_texts_do() -> None:
    texts = pl.Series("t", ["", "a", LONG, LONG + "1", "x" * 80, None])
    short = texts.to_frame().select(shortened(pl.col("t"))).to_series()
    assert short.to_list()[:2] == [None, "a"]
    assert short[4] == "x" * 80
    assert short.drop_nulls().n_unique() == 4
    assert short.drop_nulls().str.len_chars().max() == 80
    assert short.to_frame().select(shortened(pl.col("t"))).to_series().to_list() == short.to_list()


def slices(by: str, **options: Any) -> list[tuple[str | None, int]]:
    found = compare("old.parquet", "new.parquet", by=by, resamples=0, **options).slices
    return found.select("value", "n").rows()


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("metadata.city", [("Bern", 4), ("Lyon", 8)]),
        ("model", [("m-large", 4), ("m-small", 8)]),
        ("tool", [("buy", 6), ("find", 9), (None, 3)]),
        ("length(tool_calls)", [("0", 3), ("1", 3), ("2", 3), ("3", 3)]),
        ("metadata.gone", [(None, 12)]),
    ],
)
def test_slices_of_what_the_scores_do_not_hold(
    folder: Path, by: str, expected: list[tuple[str | None, int]]
) -> None:
    assert slices(by) == expected


def test_a_pair_is_in_the_slices_of_the_tools_of_both_runs(folder: Path) -> None:
    calls = [{"tool_calls": [{"name": "ask"}]} for _ in range(12)]
    new = [row | call for row, call in zip(rows("new", "sunny"), calls, strict=True)]
    Path("new.jsonl").write_text("".join(json.dumps(row) + "\n" for row in new))
    assert slices("tool") == [("ask", 12), ("buy", 6), ("find", 9)]


def test_what_is_kept_is_not_looked_up(folder: Path) -> None:
    for run in ("old", "new"):
        write_scores(
            read_traces(f"{run}.jsonl"),
            [checks.includes("sunny")],
            f"{run}.parquet",
            keep=["metadata.city", "input", "output"],
        )
        Path(f"{run}.jsonl").unlink()
    assert slices("metadata.city") == [("Bern", 4), ("Lyon", 8)]
    assert len(slices("length(output)")) == 12
    assert [n for _, n in slices("output")] == [1] * 12


def test_traces_that_moved(folder: Path) -> None:
    (folder / "elsewhere").mkdir()
    for run in ("old", "new"):
        Path(f"{run}.jsonl").rename(f"elsewhere/{run}.jsonl")
    with pytest.raises(BatchevalError, match=GONE) as caught:
        slices("metadata.city", key="trace_id")
    assert caught.value.exit_code == 3
    gone = "the runs share no value of 'trace_id'; .*'old.jsonl': no such file"
    with pytest.raises(BatchevalError, match=gone):
        compare("old.parquet", "new.parquet")
    traces = read_traces("elsewhere")
    assert slices("metadata.city", traces=traces) == [("Bern", 4), ("Lyon", 8)]
    for run in ("old", "new"):  # other names too: by their ids
        Path(f"elsewhere/{run}.jsonl").rename(f"elsewhere/{run}-2.jsonl")
    assert slices("metadata.city", traces=read_traces("elsewhere")) == [("Bern", 4), ("Lyon", 8)]
    several = pl.concat([traces_of(folder), traces_of(folder)])
    with pytest.raises(BatchevalError, match="several have the same trace_id and run"):
        slices("metadata.city", traces=several)


GONE = (
    "by reads 'metadata.city', which the scores of 'old.parquet' lack, and their traces cannot be"
    " looked up: 'old.jsonl': no such file or folder; name the traces with --traces, or score with"
    " --keep"
)


def traces_of(folder: Path) -> pl.LazyFrame:
    return read_traces(folder / "elsewhere")


def test_traces_that_changed_or_came_through_a_pipe(folder: Path) -> None:
    lines = Path("old.jsonl").read_text().splitlines(keepends=True)
    Path("old.jsonl").write_text("".join(lines[1:]))
    with pytest.raises(BatchevalError, match="12 of 12 are not where they were"):
        slices("model", key="trace_id")
    piped = pl.read_parquet("old.parquet").with_columns(source=pl.lit("-"))
    with pytest.raises(BatchevalError, match="they came from no file that can be read again"):
        compare(piped, "new.parquet", by="model")


def test_a_column_that_neither_has(folder: Path) -> None:
    with pytest.raises(BatchevalError, match="by reads 'city', which the traces lack"):
        slices("city")
    with pytest.raises(BatchevalError, match=r"the length of a text or list, not 'length\(line\)'"):
        slices("length(line)")


@pytest.mark.parametrize("seed", range(3))
def test_quarters_hold_about_as_many_rows(seed: int) -> None:
    import numpy as np

    numbers = np.random.default_rng(seed).lognormal(size=1_000).round(2)
    found = sliced(pl.Series("x", [*numbers.tolist(), None, float("nan")]))
    sizes = found.drop_nulls().group_by("value").len()["len"].to_list()
    assert sum(sizes) == 1_000
    assert len(sizes) == 4
    assert max(sizes) - min(sizes) < 40
    assert found["value"].null_count() == 2
    cut = statistics.quantiles(numbers.tolist(), n=4)
    first = found.filter(place=0)["row"].to_list()
    assert all(numbers[row] <= cut[0] + 0.02 for row in first)


def test_few_numbers_are_slices_of_their_own_in_order() -> None:
    found = sliced(pl.Series("n", ["10", "9", None, "10"])).sort("place", nulls_last=True)
    assert found["value"].to_list() == ["9", "10", "10", None]
    assert sliced(pl.Series("n", [True, False]))["value"].to_list() == ["true", "false"]
    one = sliced(pl.Series("n", [*[5] * 50, *range(100, 125)]))
    assert one["value"].unique(maintain_order=True).to_list() == ["5", "100 to 106", "107 to 124"]


# Which files are scores.

SAMPLES = Path(__file__).parents[1] / "sample_traces"


def test_sample_traces_are_no_scores() -> None:
    files = [path for path in SAMPLES.rglob("*") if path.suffix in (".jsonl", ".parquet", ".csv")]
    assert len(files) == 6
    for path in files:
        assert not are_scores(str(path)), path
    assert not are_scores(f"{SAMPLES / 'support_agent.jsonl'}@baseline")
    assert not are_scores("-")
    assert not are_scores(str(SAMPLES))


@pytest.mark.parametrize("ending", ["parquet", "jsonl", "csv"])
@pytest.mark.parametrize("options", [{}, {"long": True}, {"keep": ["input", "output"]}])
def test_what_was_scored_are_scores(folder: Path, ending: str, options: dict[str, Any]) -> None:
    write_scores(read_traces("old.jsonl"), [checks.includes("x")], f"s.{ending}", **options)
    assert are_scores(f"s.{ending}")
    assert are_scores(f"s.{ending}@old")


def test_scores_of_somebody_elses(tmp_path: Path) -> None:
    frame = pl.DataFrame({"trace_id": ["a"], "right": [1.0]})
    frame.write_csv(tmp_path / "s.csv")
    frame.write_parquet(tmp_path / "s.parquet")
    frame.write_ndjson(tmp_path / "s.jsonl")
    for path in tmp_path.iterdir():
        assert are_scores(str(path)), path
    assert are_scores(str(tmp_path))
    assert are_scores(str(tmp_path / "gone.parquet"))
    assert not are_scores(str(tmp_path / "*.jsonl"))


# The command line scores traces first.

SUITE = '[scorers.weather]\ncheck = "includes"\nexpected = "sunny"\n'


def test_traces_are_scored_first(folder: Path, run: Command) -> None:
    Path("suite.toml").write_text(SUITE)
    page = run("compare", "old.jsonl", "new.jsonl", "--suite", "suite.toml", "--by", "tool")
    assert page.code == 0
    assert "base 'old.jsonl' (traces, scored by 'suite.toml'): 12 rows\n" in page.out
    assert "12 pairs: rows with the same 'input'" in page.out
    assert "a pair is in the slice of every tool that either run called" in page.out
    assert re.search(r"weather +12 +0.000 +1.000 +\+1.000 .*better", page.out)
    assert "tool = buy" in page.out
    assert not list(folder.glob("*.tmp"))
    mixed = run("compare", "old.parquet", "new.jsonl", "-s", "suite.toml", "--format", "json")
    assert mixed.code == 3
    assert "share no scorer: base has 'includes', candidate has 'weather'" in mixed.err
    kept = run("compare", "old.jsonl@old", "new.jsonl", "-s", "suite.toml", "--keep-scores", "k/s")
    assert kept.code == 0
    again = run("compare", "k/s/base.parquet", "k/s/candidate.parquet")
    assert again.out.splitlines()[2:] == kept.out.splitlines()[2:]


def test_traces_that_cannot_be_scored_first(folder: Path, run: Command) -> None:
    Path("suite.toml").write_text(SUITE)
    asked = ["new.jsonl", "-s", "suite.toml"]
    Path("bad.jsonl").write_text('{"trace_id": 1, "output": "a"}\n{"out\n')
    for code, told, *wrong in (
        (3, "they are traces, which --suite FILE has scored first", "old.jsonl", "new.jsonl"),
        (2, "has no run 'odl'; did you mean 'old'", "old.jsonl@odl", *asked),
        (2, "'old.jsonl' cannot be made", "old.jsonl", *asked, "--keep-scores", "old.jsonl"),
        (2, "'*.json' names no file", "*.json", *asked),
        (3, "bad line", "bad.jsonl", *asked, "--on-bad-line", "fail"),
    ):
        ended = run("compare", *wrong)
        assert (ended.code, ended.err.count("\n")) == (code, 1), ended
        assert told in ended.err, ended
    warned = run("compare", "bad.jsonl", "bad.jsonl", "-s", "suite.toml")
    assert warned.code == 0
    assert "bad.jsonl: " in warned.err
